# shellcheck shell=bash
# Read by bash before the installer (BASH_ENV): writes the first word of each command that the installer is about to run
# into the file CUT_LOG, those in functions too, and kills it with SIGKILL before the one with the number CUT_AT. What a
# subshell does isn't counted: there, nothing is changed.
set -T
cut_number=0
trap '
    if [ $BASH_SUBSHELL = 0 ]; then
        cut_number=$((cut_number + 1))
        if [ $cut_number = "$CUT_AT" ]; then kill -9 $$; fi
        echo "${BASH_COMMAND%%[[:space:]]*}" >>"$CUT_LOG"
    fi
' DEBUG
