#!/bin/sh
prettier --write "$@"
