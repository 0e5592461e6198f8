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

{{- /* image of a role: list root role */ -}}
{{- define "limner.image" -}}
{{- $root := index . 0 }}{{ $role := index . 1 -}}
{{- $repository := ternary $root.Values.image.rendererRepository $root.Values.image.repository (eq $role "renderer") -}}
{{ printf "%s:%s" $repository (default $root.Chart.AppVersion $root.Values.image.tag) }}
{{- end }}

{{- /* what every process is told: servers by reference, the other roles by name */ -}}
{{- define "limner.env" -}}
{{- $name := include "limner.fullname" . -}}
- { name: LIMNER__PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: LIMNER__POSTGRES__URL_FILE, value: /etc/limner/servers/postgres-url }
- { name: LIMNER__REDIS__URL_FILE, value: /etc/limner/servers/redis-url }
- { name: LIMNER__NATS__URL_FILE, value: /etc/limner/servers/nats-url }
{{- if .Values.roles.egress.enabled }}
- { name: LIMNER__EGRESS__SECRET_FILE, value: /etc/limner/servers/egress-secret }
{{- end }}
- { name: LIMNER__EXTRACTOR__URL, value: "http://{{ $name }}-extractor:{{ .Values.roles.extractor.port }}" }
- { name: LIMNER__METERING__URL, value: "http://{{ $name }}-metering:{{ .Values.roles.metering.port }}" }
- { name: LIMNER__LOG__FORMAT, value: json }
- { name: LIMNER__RENDERER__ENABLED, value: {{ .Values.roles.renderer.enabled | quote }} }
{{- with .Values.objects.url }}
- { name: LIMNER__OBJECTS__URL, value: {{ . | quote }} }
{{- end }}
{{- with .Values.telemetry.otlpEndpoint }}
- { name: LIMNER__TELEMETRY__OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- range $key, $value := .Values.settings }}
- { name: {{ $key }}, value: {{ $value | quote }} }
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

{{- /* what the console alone is told */ -}}
{{- define "limner.consoleEnv" -}}
- { name: LIMNER__CONSOLE__LISTEN, value: "0.0.0.0:{{ .Values.roles.console.port }}" }
- { name: LIMNER__CONSOLE__URL, value: {{ .Values.console.url | quote }} }
- { name: LIMNER__MCP__URL, value: {{ .Values.mcp.url | quote }} }
- { name: LIMNER__CONSOLE__GATEWAY_URL, value: "http://{{ include "limner.fullname" . }}-gateway:{{ .Values.roles.gateway.port }}" }
- { name: LIMNER__CONSOLE__MAIL_FROM, value: {{ .Values.console.mailFrom | quote }} }
- { name: LIMNER__BILLING__CURRENCY, value: {{ .Values.billing.currency | quote }} }
{{- with .Values.console.clientAddressHeader }}
- { name: LIMNER__CONSOLE__CLIENT_ADDRESS_HEADER, value: {{ . | quote }} }
{{- end }}
{{- if .Values.console.smtp.name }}
- { name: LIMNER__CONSOLE__SMTP_URL_FILE, value: /etc/limner/mail/smtp-url }
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

{{- define "limner.billingVolume" -}}
- name: billing
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ .Values.billing.stripe.secretKey.name }}
          items: [{ key: {{ .Values.billing.stripe.secretKey.key }}, path: stripe-secret-key }]
      - secret:
          name: {{ .Values.billing.stripe.webhookSecret.name }}
          items: [{ key: {{ .Values.billing.stripe.webhookSecret.key }}, path: stripe-webhook-secret }]
{{- end }}

{{- define "limner.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
  emptyDir: {}
- name: servers
  projected:
    defaultMode: 0440
    sources:
      {{- range $server, $from := .Values.secrets }}
      {{- if or (ne $server "egress") $.Values.roles.egress.enabled }}
      - secret:
          name: {{ $from.name }}
          items: [{ key: {{ $from.key }}, path: {{ ternary "egress-secret" (printf "%s-url" $server) (eq $server "egress") }} }]
      {{- end }}
      {{- end }}
{{- end }}

{{- define "limner.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /var/lib/limner }
- { name: servers, mountPath: /etc/limner/servers, readOnly: true }
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
