#!/bin/sh
# Runs one server for as long as any process holds a shared lock on USERS, and GRACE seconds longer: each test is a process,
# and starting a server for each of them would take longer than the tests.
#
# usage: keeper.sh USERS STATE DIR GRACE SIGNAL COMMAND...
#   USERS    users of the server hold a shared lock on this file
#   STATE    file with the server's address; removed when the server ends
#   DIR      the server's directory; removed when the server ends
#   COMMAND  the server, in the foreground; SIGNAL ends it, also if this script is killed
users=$1 state=$2 dir=$3 grace=$4 signal=$5
shift 5

exec 9<"$users"
setpriv --pdeathsig "$signal" -- "$@" 9<&- &
server=$!

end() {
    kill -s "$signal" "$server" 2>/dev/null
    wait "$server"
    rm -rf "$dir" "$state"
    exit 0
}
trap end TERM INT HUP

idle=0
while kill -0 "$server" 2>/dev/null; do
    sleep 1 9<&- &
    wait $!
    if flock --nonblock --exclusive 9; then
        idle=$((idle + 1))
        # The lock is held while the server ends: a new user waits, and then starts a new server.
        [ "$idle" -ge "$grace" ] && end
        flock --unlock 9
    else
        idle=0
    fi
done
end
