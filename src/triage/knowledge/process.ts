/** Exit codes, signals and what Kubernetes says of a dead container. The notation is explained in read-table.ts. */
export const process = `
# process-exit code
- 0=not a failure | 1=generic
l65 66=input missing (sysexits)
p50 2=shell misuse or usage error
p65 64=usage (sysexits)
p75 134=abort; node heap exhaustion shows so
p78 70=software error (sysexits)
p85 139=segmentation fault
s55 76=protocol error (sysexits)
s88 65=data error (sysexits)
t55 68=host unknown (sysexits)
t55? 137=killed; usually out of memory
t65 71=os error (sysexits)
t75 74=io error (sysexits)
t82? 124=timeout(1)
t85? 143=terminated: shutdown or deploy
t90 69=service unavailable (sysexits)
t97 75=temporary failure (sysexits)
u60 67=user unknown (sysexits)
u65 73=cannot create output (sysexits)
u85 126=not executable
u88 127=command not found
u92 77=no permission (sysexits)
u95 78=configuration error (sysexits)
# signal code
p60 SIGXCPU=cpu limit
p65 SIGBUS=crash
p75 SIGABRT=abort | SIGILL=crash
p80 SIGFPE=arithmetic crash
p85 SIGSEGV=crash
t55? SIGKILL=killed; usually out of memory
t70? SIGHUP=hangup
t75? SIGINT=interrupted
t85? SIGTERM=shutdown or deploy
# kubernetes code
- BackoffLimitExceeded=retries used up; see pod | CrashLoopBackOff | Error
t50? OOMKilled=limit too low, or one huge message (poison)
t72? DeadlineExceeded=job too slow
t88? Evicted=node pressure
t92? NodeLost=node gone | Preempted=higher priority pod
t93? NodeShutdown=node drained
u88 ErrImagePull=image or registry
u90 ContainerCannotRun=command or image
u93 ImagePullBackOff=image or registry
u95 CreateContainerConfigError=secret or config map missing
`;
