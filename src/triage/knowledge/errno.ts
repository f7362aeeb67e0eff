/** What operating systems say. The notation is explained in read-table.ts. */
export const errno = `
# errno code
- UNKNOWN=unknown | ENODATA=no data
b40 ENOTEMPTY=directory not empty
b50 EEXIST=file exists; maybe already processed
l50 ESRCH=process gone
l60 ENOENT=file missing; config file would be unknown
p50 EAI_OVERFLOW=dns buffer | EAI_SOCKTYPE=dns socket type | ENOPROTOOPT=protocol option | EOVERFLOW=value too large |
   ENOTTY=not a terminal | EDOM=math domain | ECHILD=no child process
p55 ENAMETOOLONG=name too long | ENOTDIR=not a directory | EPROTOTYPE=wrong protocol type
p60 E2BIG=argument list too long | EAI_BADFLAGS=dns flags | EAI_BADHINTS=dns hints | EDESTADDRREQ=destination missing |
   EINVAL=invalid argument | EISCONN=already connected | ENOSYS=not implemented | ENOTSOCK=not a socket |
   ENOTSUP=not supported | ESPIPE=illegal seek
p65 EISDIR=is a directory | EBADNAME=dns name malformed
p70 EBADF=descriptor closed | EFAULT=bad address
s50 EFBIG=file too large | ERANGE=result out of range | EFTYPE=file format
s55 EBADMSG=bad message
s60 EMSGSIZE=datagram too long
s70 ECHARSET=invalid unicode
s85 EILSEQ=illegal byte sequence
t50 EAI_CANCELED=dns cancelled | EUSERS=too many users | EOWNERDEAD=lock owner died
t50? ECANCELED=cancelled
t55 ENOTFOUND | WSAHOST_NOT_FOUND=windows 11001
t60 EALREADY=already in progress | EIO=io error | ETXTBSY=file busy | EREMOTEIO=remote io | ENOLINK=link severed |
   EREFUSED=dns query refused (c-ares) | EBADRESP=dns reply malformed
t60? EOF=stream ended
t65 EADDRNOTAVAIL=no local address or ports exhausted | EAI_MEMORY=dns out of memory | ENOMEM=out of memory
t70 ESTALE=nfs handle stale | ENOLCK=no locks
t70? ETIME=timer expired | ECOMM=communication error
t75 EMFILE=too many open files; often a leak | ENFILE=system file table full | ENOSPC=disk full; needs operator
t75? ENOTCONN=not connected
t80 ENOBUFS=no buffer space | ENONET=not on network
t80? ESHUTDOWN=endpoint shut down
t85 EBUSY=resource busy | EINTR=interrupted | ENETUNREACH | EDEADLK=deadlock | ESERVFAIL=dns server failure (c-ares) |
   WSAENETUNREACH=windows 10051
t85? ENETRESET=network reset | ETIMEOUT=dns timeout (c-ares) or driver timeout | ECONNCLOSED=driver: connection closed
t90 EAGAIN=try again | EHOSTUNREACH=host unreachable | EHOSTDOWN=host down | WSAEHOSTUNREACH=windows 10065 |
   WSATRY_AGAIN=windows 11002
t90? ECONNABORTED=connection aborted; axios uses it for timeout | WSAECONNABORTED=windows 10053
t95 EAI_AGAIN=dns temporary failure | ECONNREFUSED=nobody listening; nothing sent | ENETDOWN=network down |
   WSAECONNREFUSED=windows 10061
t95? ECONNRESET=peer reset; request may be processed | EPIPE=peer closed while writing |
   ETIMEDOUT=timeout; outcome open unless connect phase | WSAECONNRESET=windows 10054 | WSAETIMEDOUT=windows 10060
u40 EUNATCH=driver
u50 EAI_PROTOCOL=dns protocol | EPROTO=protocol error; often tls mismatch | ENXIO=no such device |
   EMLINK=too many links | ESOCKTNOSUPPORT=socket type | ENOTRECOVERABLE=state not recoverable |
   ENOTIMP=dns not implemented
u55 EAI_FAIL=dns permanent failure | EAI_NODATA=dns no address | EAI_NONAME=dns name unknown
u60 EAI_ADDRFAMILY=dns | EAI_FAMILY=dns family | EAI_SERVICE=dns service | ELOOP=symlink loop | ENODEV=no device |
   EPROTONOSUPPORT=protocol not supported | EXDEV=cross-device rename | ENOEXEC=exec format
u70 EADDRINUSE=port taken | EDQUOT=disk quota
u75 EAFNOSUPPORT=address family | EROFS=read-only file system
u85 EPERM=not permitted
u90 EACCES=file or port right
`;
