# Commands of this project. CONTRIBUTING.md says when to use which.

# Added to go test, as in: make test TESTFLAGS="-run TestFind -v"
TESTFLAGS =
# A folder of checkouts by name, for corpus-check; without it the pinned releases
# are fetched.
CORPORA =

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build test check fmt vet staticcheck rules race bench corpus-check

build:
	go build -o bin/codeintel ./cmd/codeintel

test:
	go test -timeout 25m $(TESTFLAGS) ./...

check: fmt vet staticcheck rules

fmt:
	@files=$$(gofmt -l $$(find . -name '*.go' -not -path '*/testdata/*' -not -path '*/node_modules/*')); \
	if [ -n "$$files" ]; then echo "not formatted (gofmt -w):"; echo "$$files"; exit 1; fi

vet:
	go vet ./...

staticcheck:
	go run $(STATICCHECK) ./...

# Layers, pins, documentation, forbidden calls.
rules:
	go test $(TESTFLAGS) .

race:
	go test -race -timeout 40m $(TESTFLAGS) ./...

bench: build
	go test -run '^$$' -bench . -benchmem ./...
	go run ./bench servers
	go run ./bench overhead

corpus-check: build
	go run ./bench corpus $(if $(CORPORA),-corpora "$(CORPORA)")
