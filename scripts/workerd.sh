#!/bin/sh
# workerd, after a line that says which process it is: Miniflare, which starts it, keeps that to itself.
echo "workerd is process $$" >&2
exec "$WORKERD" "$@"
