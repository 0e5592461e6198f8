# Limner. `make` lists what there is.
.DEFAULT_GOAL := help
.PHONY: help setup run test check fmt proto proto-check proto-breaking proto-release sdk sdk-packages soak fuzz bench helm-check install-check dist dist-check images images-check upgrade-check clean-data

help: ## What there is
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what is missing to build, run and test (Debian packages, cargo-nextest, checkers, npm packages)
	@deploy/setup/debian.sh tests

run: ## Build and start the whole fleet here; prints a key and a curl line
	@deploy/setup/debian.sh
	cargo build --locked --bin limner
	@LIMNER__DATA_DIR="$${LIMNER__DATA_DIR:-$$(deploy/setup/data-dir.sh)}" exec "$${CARGO_TARGET_DIR:-target}/debug/limner" up

test: setup ## Every test, with real servers that the tests start themselves, and the examples of the documentation
	cargo test --locked --workspace --doc --quiet
	cargo nextest run --locked --workspace --no-fail-fast

check: setup proto-breaking ## Format, spelling, dependencies, advisories, lints, documentation, the last release's messages
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	.tools/checks/bin/typos
	.tools/checks/bin/cargo-shear --locked --check-test-targets --deny-warnings
	.tools/checks/bin/cargo-deny --locked check -D unmatched-skip -D unnecessary-skip -D license-not-encountered bans licenses sources
	@deploy/checks/advisories.sh
	@deploy/checks/commit-subjects.sh
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo check --locked --manifest-path fuzz/Cargo.toml --bins
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --lib --bins --examples

fmt: ## Format everything
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml

proto: setup ## Write the generated code of proto/
	cargo run --locked -q -p limner-proto-codegen

proto-check: setup proto-breaking ## Compare the committed generated code with proto/, and proto/ with the last release's
	cargo nextest run --locked -p limner-proto-codegen

proto-breaking: setup
	@.tools/charts/bin/buf breaking proto --against proto/released.binpb || { echo "proto/ would break clients of the last release" >&2; exit 1; }

proto-release: setup ## Keep proto/ as the release that is being made, for later ones to be held against
	.tools/charts/bin/buf build proto --exclude-source-info -o proto/released.binpb

sdk: setup ## Write what is generated of the packages in sdk/ from the OpenAPI document
	cargo build --locked --bin limner
	@document=$$(mktemp) && trap 'rm -f "$$document"' EXIT && \
		"$${CARGO_TARGET_DIR:-target}/debug/limner" openapi > "$$document" && \
		.tools/sdk/bin/python -B sdk/generate/generate.py "$$document" sdk

sdk-packages: setup ## Build the packages in sdk/: npm's tarballs and the Python wheel, in target/sdk
	sdk/build.sh target/sdk

soak: setup ## The checks that take minutes
	cargo nextest run --locked --workspace --profile soak --run-ignored only
	fuzz/run.sh all 60
	$(MAKE) install-check
	$(MAKE) dist-check
	$(MAKE) images-check

upgrade-check: setup ## Replace the processes of the last release by those of this tree, one by one, under calls
	LIMNER_PREVIOUS_BIN=$$(deploy/checks/previous-release.sh) cargo nextest run --locked --workspace --profile soak --run-ignored only \
		-E 'test(calls_are_unaffected_when_processes_are_replaced_or_killed)'

fuzz: ## Fuzz what reads hostile input: TARGET=css (all), TIME=600 (seconds for each, 60); docs/fuzzing.md
	fuzz/run.sh $(or $(TARGET),all) $(or $(TIME),60)

bench: setup ## Benchmarks, as ratios from one run
	cargo build --locked --release --bin limner
	@if command -v npm >/dev/null; then npm ci --silent --ignore-scripts --prefix tests/bench; else echo "npm is not installed: nothing is compared with other programs"; fi
	LIMNER_BIN=$(CURDIR)/target/release/limner cargo bench --locked --workspace

helm-check: setup ## The chart, its values, the alerts and the images, against their validators
	cargo nextest run --locked -p limner-tests --test helm

install-check: ## What README says first: `cargo install`, and a command of the installed binary
	cargo install --locked --path services/limner --root target/install --force
	target/install/bin/limner extract brand --help >/dev/null
	target/install/bin/limner --version

dist: ## The release artefacts in target/packages: .deb, archive, symbols, sums
	cargo build --locked --profile dist --bin limner
	rm -rf target/packages
	deploy/packages/build.sh "$${CARGO_TARGET_DIR:-target}/dist/limner" target/packages

dist-check: dist ## Install the .deb on a bare Debian and take the first steps there (root; debootstrap)
	deploy/packages/check.sh target/packages

images: ## The container images, with buildah and without Docker's daemon (root; buildah, runc, debootstrap)
	cargo build --locked --profile dist --bin limner
	deploy/images/build.sh "$${CARGO_TARGET_DIR:-target}/dist/limner"

images-check: images ## Run them under runc: a call to the demo page, and Chromium's sandbox under the seccomp profile
	deploy/images/check.sh

clean-data: ## Remove the data of `make run`
	rm -rf .limner
