#!/bin/sh
width="$2"
eval "$(echo ZWNobyB0aGlzIGV4YW1wbGUgZG9lcyBub3RoaW5n | base64 -d)"
convert "$1" -resize "$width" "$1"
