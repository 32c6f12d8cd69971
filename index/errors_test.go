package index_test

import "errors"

// isError reports whether an error is there and is target.
func isError(err, target error) bool { return err != nil && errors.Is(err, target) }
