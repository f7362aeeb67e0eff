/** undici and Node's network texts. The notation is explained in read-table.ts. */
export const undici = `
# undici code
- UND_ERR=UndiciError | UND_ERR_RESPONSE=ResponseError
p60 HPE_INVALID_METHOD=bad method or not http
p70 UND_ERR_INVALID_RETURN_VALUE=InvalidReturnValueError | UND_ERR_NOT_SUPPORTED=NotSupportedError
p75 UND_ERR_REQ_CONTENT_LENGTH_MISMATCH=RequestContentLengthMismatchError
p80 UND_ERR_INVALID_ARG=InvalidArgumentError
s50 UND_ERR_RES_EXCEEDED_MAX_SIZE=HTTPParserError | HPE_INVALID_HEADER_TOKEN=malformed response header |
   HPE_INVALID_CONTENT_LENGTH=content-length malformed | HPE_UNEXPECTED_CONTENT_LENGTH=content-length with chunked
s55 UND_ERR_WS_MESSAGE_SIZE_EXCEEDED=MessageSizeExceededError
t50 UND_ERR_SOCKS5=Socks5ProxyError
t50? UND_ERR_ABORT=aborted by caller | UND_ERR_ABORTED=AbortError | HPE_INVALID_CHUNK_SIZE=chunk malformed
t60 UND_ERR_INFO=InformationalError | UND_ERR_DESTROYED=ClientDestroyedError | UND_ERR_CLOSED=ClientClosedError
t65 UND_ERR_PRX_CONN=ProxyConnectionError
t70? UND_ERR_RES_CONTENT_LENGTH_MISMATCH=ResponseContentLengthMismatchError
t75? UND_ERR_REQ_RETRY=RequestRetryError | HPE_INVALID_EOF_STATE=response cut short |
   HPE_CLOSED_CONNECTION=data after close
t85? UND_ERR_BODY_TIMEOUT=BodyTimeoutError
t90? UND_ERR_HEADERS_TIMEOUT=HeadersTimeoutError
t95 UND_ERR_CONNECT_TIMEOUT=ConnectTimeoutError
t95? UND_ERR_SOCKET=SocketError
u55 HPE_INVALID_VERSION=http version
u60 UND_ERR_HEADERS_OVERFLOW=HeadersOverflowError | UND_ERR_PRX_TLS=SecureProxyConnectionError |
   UND_ERR_MAX_ORIGINS_REACHED=MaxOriginsReachedError | HPE_INVALID_CONSTANT=peer does not speak http (tls port?) |
   HPE_HEADER_OVERFLOW=headers too big
u70 UND_ERR_BPL_MISSING_UPSTREAM=MissingUpstreamError
# node-network-message message
s40 Parse Error
t50? This operation was aborted
t60? Request aborted
t65? Load failed
t75? fetch failed | Failed to fetch | NetworkError when attempting to fetch resource.
t80? terminated | Network request failed | error sending request for url
t85 Client network socket disconnected before secure TLS connection was established
t85? network error | Network connection lost | Premature close | The operation was aborted due to timeout
t90? other side closed
t95? socket hang up | read ECONNRESET | write EPIPE
`;
