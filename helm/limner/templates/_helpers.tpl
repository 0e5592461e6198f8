{{- define "limner.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "limner.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "limner.labels" -}}
{{ include "limner.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* image of a role: list root role. A digest wins over the tag. */ -}}
{{- define "limner.image" -}}
{{- $image := (index . 0).Values.image }}{{ $isRenderer := eq (index . 1) "renderer" -}}
{{- $repository := ternary $image.rendererRepository $image.repository $isRenderer -}}
{{- $digest := ternary $image.rendererDigest $image.digest $isRenderer -}}
{{- if $digest }}{{ printf "%s@%s" $repository $digest }}{{ else }}{{ printf "%s:%s" $repository (default (index . 0).Chart.AppVersion $image.tag) }}{{ end }}
{{- end }}

{{- /* service account of a role: list root role */ -}}
{{- define "limner.serviceAccount" -}}
{{- $root := index . 0 }}{{ $role := index . 1 -}}
{{- dig "serviceAccount" "name" "" (get $root.Values.roles $role) | default (printf "%s-%s" (include "limner.fullname" $root) $role) }}
{{- end }}

{{- /* processors of a role: its limit, or else its request, rounded up */ -}}
{{- define "limner.processors" -}}
{{- $cpu := toString (dig "limits" "cpu" (dig "requests" "cpu" "1" .resources) .resources) -}}
{{- if hasSuffix "m" $cpu }}{{ ceil (divf (trimSuffix "m" $cpu | float64) 1000) }}{{ else }}{{ ceil (float64 $cpu) }}{{ end }}
{{- end }}

{{- /* which secrets a role holds: servers' addresses, and what two roles share. docs/operations/install.md says why. */ -}}
{{- define "limner.secretsOf" -}}
{{- $holds := dict
  "gateway"   (list "redis" "nats" "metering")
  "fetcher"   (list "redis" "nats")
  "renderer"  (list "redis" "nats" "egress")
  "egress"    (list "egress")
  "extractor" (list)
  "metering"  (list "postgres" "redis" "nats" "metering")
  "console"   (list "postgres" "metering")
  "mcp"       (list "metering")
  "migrate"   (list "postgres" "nats") -}}
{{- get $holds . | toJson }}
{{- end }}

{{- /* where a role's secret is: list root role secret */ -}}
{{- define "limner.secretOf" -}}
{{- $root := index . 0 }}{{ $role := index . 1 }}{{ $secret := index . 2 -}}
{{- $spec := ternary $root.Values.migration (get $root.Values.roles $role) (eq $role "migrate") -}}
{{- dig "secrets" $secret (get $root.Values.secrets $secret) $spec | toJson }}
{{- end }}

{{- /* a list of environment variables in which every name is there once: the last one wins */ -}}
{{- define "limner.uniqueEnv" -}}
{{- $values := dict }}{{ $order := list -}}
{{- range fromYamlArray . }}
{{- if not (hasKey $values .name) }}{{ $order = append $order .name }}{{ end }}
{{- $_ := set $values .name . }}
{{- end }}
{{- range $order }}
- {{ get $values . | toRawJson }}
{{- end }}
{{- end }}

{{- /* the environment of a role: list root role spec */ -}}
{{- define "limner.env" -}}
{{- $root := index . 0 }}{{ $role := index . 1 }}{{ $spec := index . 2 }}{{ $name := include "limner.fullname" $root -}}
{{- $variables := dict "postgres" "LIMNER__POSTGRES__URL_FILE" "redis" "LIMNER__REDIS__URL_FILE" "nats" "LIMNER__NATS__URL_FILE" "egress" "LIMNER__EGRESS__SECRET_FILE" "metering" "LIMNER__METERING__TOKEN_FILE" -}}
- { name: LIMNER__PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }} }
{{- range include "limner.secretsOf" $role | fromJsonArray }}
- { name: {{ get $variables . }}, value: /etc/limner/servers/{{ include "limner.secretFile" . }} }
{{- end }}
- { name: LIMNER__EXTRACTOR__URL, value: "http://{{ $name }}-extractor:{{ $root.Values.roles.extractor.port }}" }
- { name: LIMNER__METERING__URL, value: "http://{{ $name }}-metering:{{ $root.Values.roles.metering.port }}" }
- { name: LIMNER__LOG__FORMAT, value: json }
- { name: LIMNER__RENDERER__ENABLED, value: {{ $root.Values.roles.renderer.enabled | quote }} }
{{- if $root.Values.objects.claim }}
- { name: LIMNER__OBJECTS__URL, value: "file:///var/lib/limner/objects" }
{{- else if $root.Values.objects.url }}
- { name: LIMNER__OBJECTS__URL, value: {{ $root.Values.objects.url | quote }} }
{{- end }}
{{- with $root.Values.objects.resultBytes }}
- { name: LIMNER__CACHE__RESULT_BYTES, value: {{ . | quote }} }
{{- end }}
{{- with $root.Values.telemetry.otlpEndpoint }}
- { name: LIMNER__TELEMETRY__OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- if ne $role "migrate" }}
{{- /* Without these a process counts the processors of its node. */}}
- { name: TOKIO_WORKER_THREADS, value: {{ max 2 (include "limner.processors" $spec) | quote }} }
- { name: LIMNER__ADMIN__LISTEN, value: "0.0.0.0:9090" }
{{- end }}
{{- if eq $role "extractor" }}
- { name: LIMNER__EXTRACTOR__CONCURRENCY, value: {{ include "limner.processors" $spec | quote }} }
{{- else if eq $role "egress" }}
- { name: LIMNER__EGRESS__LISTEN, value: "0.0.0.0:{{ $spec.port }}" }
{{- else if eq $role "console" }}
{{ include "limner.consoleEnv" $root }}
{{- else if eq $role "mcp" }}
{{ include "limner.mcpEnv" $root }}
{{- else if eq $role "metering" }}
{{ include "limner.billingEnv" $root }}
{{- else if eq $role "renderer" }}
- { name: LIMNER__RENDERER__CONCURRENCY, value: {{ $root.Values.renderer.pages | quote }} }
- { name: LIMNER__RENDERER__PROXY, value: "http://{{ $name }}-egress:{{ $root.Values.roles.egress.port }}" }
{{- end }}
{{- range $key, $value := $root.Values.settings }}
- { name: {{ $key }}, value: {{ $value | quote }} }
{{- end }}
{{- with $root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- with $spec.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "limner.secretFile" -}}
{{ get (dict "egress" "egress-secret" "metering" "metering-token") . | default (printf "%s-url" .) }}
{{- end }}

{{- /* Secrets whose keys are environment variables: list root role spec */ -}}
{{- define "limner.envFrom" -}}
{{- $root := index . 0 }}{{ $role := index . 1 }}{{ $spec := index . 2 }}{{ $from := list -}}
{{- if has $role (list "gateway" "renderer" "migrate") }}
{{- with dig "secrets" "objects" $root.Values.objects.credentialsSecret $spec }}{{ $from = append $from (dict "secretRef" (dict "name" .)) }}{{ end }}
{{- end }}
{{- with concat $from (default list $root.Values.extraEnvFrom) (default list $spec.extraEnvFrom) }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* what metering alone is told: who collects, and how long calls are remembered */ -}}
{{- define "limner.billingEnv" -}}
{{- $billing := .Values.billing -}}
- { name: LIMNER__METERING__HISTORY_RETENTION, value: {{ .Values.usageHistory.retention | quote }} }
- { name: LIMNER__BILLING__PROVIDER, value: {{ $billing.provider | quote }} }
- { name: LIMNER__BILLING__CURRENCY, value: {{ $billing.currency | quote }} }
{{- with $billing.prices }}
{{- $prices := list -}}
{{- range $item, $price := . }}{{ $prices = append $prices (printf "%s=%s" $item $price) }}{{ end }}
- { name: LIMNER__BILLING__PRICES, value: {{ join ";" $prices | quote }} }
{{- end }}
{{- if eq $billing.provider "stripe" }}
- { name: LIMNER__BILLING__DAYS_UNTIL_DUE, value: {{ $billing.daysUntilDue | quote }} }
- { name: LIMNER__BILLING__AUTOMATIC_TAX, value: {{ $billing.automaticTax | quote }} }
- { name: LIMNER__BILLING__WEBHOOK_LISTEN, value: "0.0.0.0:{{ $billing.stripe.webhookPort }}" }
- { name: LIMNER__BILLING__STRIPE_SECRET_KEY_FILE, value: /etc/limner/billing/stripe-secret-key }
- { name: LIMNER__BILLING__STRIPE_WEBHOOK_SECRET_FILE, value: /etc/limner/billing/stripe-webhook-secret }
{{- end }}
{{- end }}

{{- /* roles that the console's status page watches through their admin servers */ -}}
{{- define "limner.watchedRoles" -}}
{{- $watched := list -}}
{{- range list "fetcher" "renderer" "extractor" "mcp" }}
{{- if dig . "enabled" true $.Values.roles }}{{ $watched = append $watched . }}{{ end }}
{{- end }}
{{- $watched | toJson }}
{{- end }}

{{- /* what the console alone is told */ -}}
{{- define "limner.consoleEnv" -}}
{{- $console := .Values.console -}}
- { name: LIMNER__CONSOLE__LISTEN, value: "0.0.0.0:{{ .Values.roles.console.port }}" }
- { name: LIMNER__CONSOLE__URL, value: {{ $console.url | quote }} }
- { name: LIMNER__MCP__URL, value: {{ .Values.mcp.url | quote }} }
- { name: LIMNER__CONSOLE__GATEWAY_URL, value: "http://{{ include "limner.fullname" . }}-gateway:{{ .Values.roles.gateway.port }}" }
{{- $watched := list -}}
{{- range fromJsonArray (include "limner.watchedRoles" .) }}
{{- $watched = append $watched (printf "%s=http://%s-%s-admin:9090" . (include "limner.fullname" $) .) }}
{{- end }}
{{- with $watched }}
- { name: LIMNER__CONSOLE__WATCH, value: {{ join "," . | quote }} }
{{- end }}
- { name: LIMNER__CONSOLE__MAIL_FROM, value: {{ $console.mailFrom | quote }} }
- { name: LIMNER__BILLING__CURRENCY, value: {{ .Values.billing.currency | quote }} }
{{- with $console.clientAddressHeader }}
- { name: LIMNER__CONSOLE__CLIENT_ADDRESS_HEADER, value: {{ . | quote }} }
{{- end }}
{{- if $console.smtp.name }}
- { name: LIMNER__CONSOLE__SMTP_URL_FILE, value: /etc/limner/mail/smtp-url }
{{- end }}
{{- if $console.oidc.issuer }}
- { name: LIMNER__CONSOLE__OIDC_ISSUER, value: {{ $console.oidc.issuer | quote }} }
- { name: LIMNER__CONSOLE__OIDC_CLIENT_ID, value: {{ $console.oidc.clientId | quote }} }
{{- with $console.oidc.label }}
- { name: LIMNER__CONSOLE__OIDC_LABEL, value: {{ . | quote }} }
{{- end }}
{{- if $console.oidc.clientSecret.name }}
- { name: LIMNER__CONSOLE__OIDC_CLIENT_SECRET_FILE, value: /etc/limner/sign-in/client-secret }
{{- end }}
{{- end }}
{{- end }}

{{- /* what the MCP server alone is told */ -}}
{{- define "limner.mcpEnv" -}}
- { name: LIMNER__MCP__LISTEN, value: "0.0.0.0:{{ .Values.roles.mcp.port }}" }
- { name: LIMNER__MCP__URL, value: {{ .Values.mcp.url | quote }} }
- { name: LIMNER__MCP__GATEWAY_URL, value: "http://{{ include "limner.fullname" . }}-gateway:{{ .Values.roles.gateway.port }}" }
- { name: LIMNER__CONSOLE__URL, value: {{ .Values.console.url | quote }} }
{{- with .Values.mcp.allowedOrigins }}
- { name: LIMNER__MCP__ALLOWED_ORIGINS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{- /* one file of a Secret, as a volume: list volume secret file */ -}}
{{- define "limner.secretVolume" -}}
- name: {{ index . 0 }}
  secret:
    secretName: {{ (index . 1).name }}
    defaultMode: 0440
    items: [{ key: {{ (index . 1).key }}, path: {{ index . 2 }} }]
{{- end }}

{{- /* volumes of a role: list root role spec */ -}}
{{- define "limner.volumes" -}}
{{- $root := index . 0 }}{{ $role := index . 1 }}{{ $spec := index . 2 }}{{ $holds := include "limner.secretsOf" $role | fromJsonArray -}}
{{- $storage := mergeOverwrite (deepCopy $root.Values.storage) (default dict $spec.storage) -}}
- name: tmp
  emptyDir: { sizeLimit: {{ $storage.tmp }} }
- name: data
  emptyDir: { sizeLimit: {{ $storage.data }} }
{{- if $holds }}
- name: servers
  projected:
    defaultMode: 0440
    sources:
      {{- range $secret := $holds }}
      {{- $from := include "limner.secretOf" (list $root $role $secret) | fromJson }}
      - secret:
          name: {{ $from.name }}
          items: [{ key: {{ $from.key }}, path: {{ include "limner.secretFile" $secret }} }]
      {{- end }}
{{- end }}
{{- with $root.Values.certificates }}
{{- if .name }}
- name: certificates
  {{- if eq .kind "ConfigMap" }}
  configMap: { name: {{ .name }}, items: [{ key: {{ .key }}, path: ca.crt }] }
  {{- else }}
  secret: { secretName: {{ .name }}, items: [{ key: {{ .key }}, path: ca.crt }] }
  {{- end }}
{{- end }}
{{- end }}
{{- if and $root.Values.objects.claim (has $role (list "gateway" "renderer" "migrate")) }}
- name: objects
  persistentVolumeClaim: { claimName: {{ $root.Values.objects.claim }} }
{{- end }}
{{- if eq $role "renderer" }}
- name: shm
  emptyDir: { medium: Memory, sizeLimit: {{ $root.Values.renderer.shmSize }} }
{{- else if eq $role "console" }}
{{- if $root.Values.console.smtp.name }}
{{ include "limner.secretVolume" (list "mail" $root.Values.console.smtp "smtp-url") }}
{{- end }}
{{- if and $root.Values.console.oidc.issuer $root.Values.console.oidc.clientSecret.name }}
{{ include "limner.secretVolume" (list "sign-in" $root.Values.console.oidc.clientSecret "client-secret") }}
{{- end }}
{{- else if and (eq $role "metering") (eq $root.Values.billing.provider "stripe") }}
- name: billing
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ $root.Values.billing.stripe.secretKey.name }}
          items: [{ key: {{ $root.Values.billing.stripe.secretKey.key }}, path: stripe-secret-key }]
      - secret:
          name: {{ $root.Values.billing.stripe.webhookSecret.name }}
          items: [{ key: {{ $root.Values.billing.stripe.webhookSecret.key }}, path: stripe-webhook-secret }]
{{- end }}
{{- with $root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- with $spec.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* where a role's volumes are: list root role spec */ -}}
{{- define "limner.mounts" -}}
{{- $root := index . 0 }}{{ $role := index . 1 }}{{ $spec := index . 2 -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /var/lib/limner }
{{- if include "limner.secretsOf" $role | fromJsonArray }}
- { name: servers, mountPath: /etc/limner/servers, readOnly: true }
{{- end }}
{{- if $root.Values.certificates.name }}
- { name: certificates, mountPath: /etc/limner/certificates, readOnly: true }
{{- end }}
{{- if and $root.Values.objects.claim (has $role (list "gateway" "renderer" "migrate")) }}
- { name: objects, mountPath: /var/lib/limner/objects }
{{- end }}
{{- if eq $role "renderer" }}
- { name: shm, mountPath: /dev/shm }
{{- else if eq $role "console" }}
{{- if $root.Values.console.smtp.name }}
- { name: mail, mountPath: /etc/limner/mail, readOnly: true }
{{- end }}
{{- if and $root.Values.console.oidc.issuer $root.Values.console.oidc.clientSecret.name }}
- { name: sign-in, mountPath: /etc/limner/sign-in, readOnly: true }
{{- end }}
{{- else if and (eq $role "metering") (eq $root.Values.billing.provider "stripe") }}
- { name: billing, mountPath: /etc/limner/billing, readOnly: true }
{{- end }}
{{- with $root.Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- with $spec.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* versions of the Secrets that a pod mounts, so that a changed one rolls it; empty where there is no cluster to ask: list root volumes */ -}}
{{- define "limner.secretVersions" -}}
{{- $root := index . 0 }}{{ $names := list -}}
{{- range index . 1 | fromYamlArray }}
{{- with dig "secret" "secretName" "" . }}{{ $names = append $names . }}{{ end }}
{{- range dig "projected" "sources" list . }}{{ with dig "secret" "name" "" . }}{{ $names = append $names . }}{{ end }}{{ end }}
{{- end }}
{{- $versions := list -}}
{{- range $names | uniq | sortAlpha }}
{{- with lookup "v1" "Secret" $root.Release.Namespace . }}{{ $versions = append $versions (printf "%s@%s" .metadata.name .metadata.resourceVersion) }}{{ end }}
{{- end }}
{{- join "," $versions }}
{{- end }}

{{- define "limner.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "limner.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
{{- end }}

{{- /* where and how pods run: list root spec. A value of the role wins over the one of all roles. */ -}}
{{- define "limner.scheduling" -}}
{{- $root := index . 0 }}{{ $spec := index . 1 -}}
{{- range list "nodeSelector" "tolerations" "affinity" "priorityClassName" "runtimeClassName" }}
{{- $value := default (get $root.Values .) (get $spec .) }}
{{- if $value }}
{{ . }}: {{- toYaml $value | nindent 2 }}
{{- end }}
{{- end }}
{{- $hostUsers := ternary $spec.hostUsers $root.Values.hostUsers (kindIs "bool" $spec.hostUsers) }}
{{- if kindIs "bool" $hostUsers }}
hostUsers: {{ $hostUsers }}
{{- end }}
{{- end }}
