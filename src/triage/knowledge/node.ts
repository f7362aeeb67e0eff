/** Node itself. The notation is explained in read-table.ts. */
export const node = `
# node code
- ERR_OPERATION_FAILED | ERR_SYSTEM_ERROR | ERR_UNHANDLED_ERROR
b50 ERR_FS_CP_EEXIST
p50 ERR_AMBIGUOUS_ARGUMENT=api misuse | ERR_ASYNC_CALLBACK=api misuse | ERR_ASYNC_TYPE=api misuse |
   ERR_BROTLI_INVALID_PARAM=api misuse | ERR_CHILD_PROCESS_IPC_REQUIRED=api misuse |
   ERR_CONTEXT_NOT_INITIALIZED=api misuse | ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED=key or crypto argument |
   ERR_CRYPTO_ECDH_INVALID_FORMAT=key or crypto argument | ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY=key or crypto argument |
   ERR_CRYPTO_ENGINE_UNKNOWN=key or crypto argument | ERR_CRYPTO_FIPS_FORCED=key or crypto argument |
   ERR_CRYPTO_HASH_UPDATE_FAILED=key or crypto argument | ERR_CRYPTO_INCOMPATIBLE_KEY=key or crypto argument |
   ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS=key or crypto argument |
   ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE=key or crypto argument | ERR_CRYPTO_INVALID_STATE=key or crypto argument |
   ERR_CRYPTO_PBKDF2_ERROR=key or crypto argument | ERR_CRYPTO_SCRYPT_INVALID_PARAMETER=key or crypto argument |
   ERR_CRYPTO_SCRYPT_NOT_SUPPORTED=key or crypto argument | ERR_CRYPTO_SIGN_KEY_REQUIRED=key or crypto argument |
   ERR_DIR_CLOSED=api misuse | ERR_DIR_CONCURRENT_OPERATION=api misuse | ERR_FS_CP_DIR_TO_NON_DIR=copy target shape |
   ERR_FS_CP_EINVAL=copy target shape | ERR_FS_CP_FIFO_PIPE=copy target shape |
   ERR_FS_CP_NON_DIR_TO_DIR=copy target shape | ERR_FS_CP_SOCKET=copy target shape |
   ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY=copy target shape | ERR_FS_CP_UNKNOWN=copy target shape |
   ERR_FS_INVALID_SYMLINK_TYPE=copy target shape | ERR_IPC_ONE_PIPE=api misuse | ERR_IPC_SYNC_FORK=api misuse |
   ERR_MISSING_OPTION=api misuse | ERR_STREAM_UNSHIFT_AFTER_END_EVENT=api misuse | ERR_STREAM_WRAP=api misuse |
   ERR_UNAVAILABLE_DURING_EXIT=api misuse | ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET=api misuse |
   ERR_UNKNOWN_CREDENTIAL=api misuse | ERR_WORKER_INVALID_EXEC_ARGV=worker messaging |
   ERR_WORKER_MESSAGING_ERRORED=worker messaging | ERR_WORKER_MESSAGING_FAILED=worker messaging |
   ERR_WORKER_MESSAGING_SAME_THREAD=worker messaging | ERR_WORKER_MESSAGING_TIMEOUT=worker messaging |
   ERR_WORKER_OUT_OF_MEMORY=one huge message, or limit too low | ERR_WORKER_UNSUPPORTED_OPERATION=worker messaging
p55 ERR_SOCKET_ALREADY_BOUND=socket option | ERR_SOCKET_BAD_BUFFER_SIZE=socket option |
   ERR_SOCKET_BAD_TYPE=socket option | ERR_SOCKET_BUFFER_SIZE=socket option |
   ERR_SOCKET_DGRAM_IS_CONNECTED=socket option | ERR_SOCKET_DGRAM_NOT_RUNNING=socket option
p60 ERR_CHILD_PROCESS_STDIO_MAXBUFFER | ERR_HTTP2_ALTSVC_INVALID_ORIGIN=http2 api misuse |
   ERR_HTTP2_ALTSVC_LENGTH=http2 api misuse | ERR_HTTP2_CONNECT_AUTHORITY=http2 api misuse |
   ERR_HTTP2_CONNECT_PATH=http2 api misuse | ERR_HTTP2_CONNECT_SCHEME=http2 api misuse |
   ERR_HTTP2_HEADERS_AFTER_RESPOND=http2 api misuse | ERR_HTTP2_HEADERS_SENT=http2 api misuse |
   ERR_HTTP2_HEADER_SINGLE_VALUE=http2 api misuse | ERR_HTTP2_INFO_STATUS_NOT_ALLOWED=http2 api misuse |
   ERR_HTTP2_INVALID_CONNECTION_HEADERS=http2 api misuse | ERR_HTTP2_INVALID_HEADER_VALUE=http2 api misuse |
   ERR_HTTP2_INVALID_INFO_STATUS=http2 api misuse | ERR_HTTP2_INVALID_ORIGIN=http2 api misuse |
   ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH=http2 api misuse | ERR_HTTP2_INVALID_PSEUDOHEADER=http2 api misuse |
   ERR_HTTP2_INVALID_SETTING_VALUE=http2 api misuse | ERR_HTTP2_MAX_PENDING_SETTINGS_ACK=http2 api misuse |
   ERR_HTTP2_NESTED_PUSH=http2 api misuse | ERR_HTTP2_NO_SOCKET_MANIPULATION=http2 api misuse |
   ERR_HTTP2_ORIGIN_LENGTH=http2 api misuse | ERR_HTTP2_PAYLOAD_FORBIDDEN=http2 api misuse |
   ERR_HTTP2_PING_LENGTH=http2 api misuse | ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED=http2 api misuse |
   ERR_HTTP2_PUSH_DISABLED=http2 api misuse | ERR_HTTP2_SEND_FILE=http2 api misuse |
   ERR_HTTP2_SEND_FILE_NOSEEK=http2 api misuse | ERR_HTTP2_SETTINGS_CANCEL=http2 api misuse |
   ERR_HTTP2_SOCKET_BOUND=http2 api misuse | ERR_HTTP2_SOCKET_UNBOUND=http2 api misuse |
   ERR_HTTP2_STATUS_101=http2 api misuse | ERR_HTTP2_STATUS_INVALID=http2 api misuse |
   ERR_HTTP2_STREAM_SELF_DEPENDENCY=http2 api misuse | ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS=http2 api misuse |
   ERR_HTTP2_TRAILERS_ALREADY_SENT=http2 api misuse | ERR_HTTP2_TRAILERS_NOT_READY=http2 api misuse |
   ERR_HTTP2_UNSUPPORTED_PROTOCOL=http2 api misuse | ERR_OUT_OF_RANGE | ERR_SERVER_NOT_RUNNING |
   ERR_SOCKET_DGRAM_NOT_CONNECTED
p65 ERR_BUFFER_OUT_OF_BOUNDS=payload shorter than expected, or bug | ERR_FS_EISDIR |
   ERR_HTTP_INVALID_HEADER_VALUE=header built from payload | ERR_INVALID_HTTP_TOKEN | ERR_INVALID_STATE |
   ERR_UNKNOWN_ENCODING
p68 ERR_INVALID_ARG_VALUE | ERR_INVALID_ASYNC_ID=argument | ERR_INVALID_BUFFER_SIZE=argument |
   ERR_INVALID_CURSOR_POS=argument | ERR_INVALID_FD=argument | ERR_INVALID_FD_TYPE=argument |
   ERR_INVALID_FILE_URL_HOST=argument | ERR_INVALID_FILE_URL_PATH=argument | ERR_INVALID_HANDLE_TYPE=argument |
   ERR_INVALID_RETURN_PROPERTY=argument | ERR_INVALID_RETURN_PROPERTY_VALUE=argument |
   ERR_INVALID_SYNC_FORK_INPUT=argument | ERR_INVALID_TUPLE=argument
p70 ERR_STREAM_ALREADY_FINISHED | ERR_USE_AFTER_CLOSE | ERR_WORKER_UNSERIALIZABLE_ERROR
p72 ERR_HTTP_BODY_NOT_ALLOWED=http api misuse | ERR_HTTP_INVALID_STATUS_CODE=http api misuse |
   ERR_HTTP_SOCKET_ASSIGNED=http api misuse | ERR_HTTP_SOCKET_ENCODING=http api misuse |
   ERR_HTTP_TRAILER_INVALID=http api misuse
p75 ERR_FALSY_VALUE_REJECTION | ERR_HTTP_CONTENT_LENGTH_MISMATCH | ERR_INTERNAL_ASSERTION=node bug |
   ERR_INVALID_ARG_TYPE=bug, or field absent in payload | ERR_SERVER_ALREADY_LISTEN | ERR_STREAM_WRITE_AFTER_END
p80 ERR_ARG_NOT_ITERABLE | ERR_INCOMPATIBLE_OPTION_PAIR | ERR_INVALID_RETURN_VALUE | ERR_STREAM_NULL_VALUES |
   ERR_UNKNOWN_SIGNAL
p82 ERR_ASSERTION | ERR_EVENT_RECURSION
p85 ERR_CRYPTO_HASH_FINALIZED | ERR_MISSING_ARGS | ERR_MULTIPLE_CALLBACK | ERR_STREAM_CANNOT_PIPE |
   ERR_STREAM_PUSH_AFTER_EOF
p88 ERR_ILLEGAL_CONSTRUCTOR | ERR_INVALID_THIS
p90 ERR_HTTP_HEADERS_SENT | ERR_METHOD_NOT_IMPLEMENTED
s55 ERR_BUFFER_TOO_LARGE | ERR_FS_FILE_TOO_LARGE | ERR_INVALID_URI
s60 ERR_INVALID_CHAR=header or path built from payload | ERR_INVALID_URL=url from payload; from env it is config |
   ERR_UNESCAPED_CHARACTERS=path built from payload
s65 ERR_ENCODING_NOT_SUPPORTED
s75 ERR_INVALID_MIME_SYNTAX
s93 ERR_ENCODING_INVALID_ENCODED_DATA=text decoder
t50 ERR_WEBASSEMBLY_RESPONSE
t50? ERR_HTTP2_TOO_MANY_INVALID_FRAMES
t55? ABORT_ERR=abort signal
t60 ERR_HTTP2_NO_MEM | ERR_SCRIPT_EXECUTION_INTERRUPTED | ERR_WORKER_INIT_FAILED
t60? ERR_STREAM_DESTROYED
t65 ERR_WORKER_NOT_RUNNING
t65? ERR_CHILD_CLOSED_BEFORE_REPLY
t70? ERR_HTTP2_INVALID_STREAM | ERR_HTTP2_STREAM_CANCEL
t72? ERR_IPC_DISCONNECTED
t75? ERR_HTTP2_INVALID_SESSION | ERR_IPC_CHANNEL_CLOSED
t82 ERR_HTTP2_OUT_OF_STREAMS
t82? ERR_HTTP2_PING_CANCEL
t85? ERR_HTTP2_SESSION_ERROR | ERR_HTTP2_STREAM_ERROR | ERR_SOCKET_CLOSED | ERR_STREAM_PREMATURE_CLOSE
t88 ERR_SOCKET_CLOSED_BEFORE_CONNECTION
t88? ERR_HTTP_REQUEST_TIMEOUT
t90? ERR_HTTP2_GOAWAY_SESSION
t95 ERR_SOCKET_CONNECTION_TIMEOUT=happy eyeballs timeout
u60 ERR_INVALID_IP_ADDRESS | ERR_INVALID_URL_SCHEME
u68 ERR_INVALID_PROTOCOL
u70 ERR_CRYPTO_INVALID_JWK | ERR_DNS_SET_SERVERS_FAILED | ERR_INVALID_ADDRESS_FAMILY
u75 ERR_CRYPTO_INVALID_DIGEST | ERR_FEATURE_UNAVAILABLE_ON_PLATFORM
u82 ERR_IMPORT_ASSERTION_TYPE_FAILED=module loading: deploy | ERR_IMPORT_ASSERTION_TYPE_MISSING=module loading: deploy |
   ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED=module loading: deploy |
   ERR_IMPORT_ATTRIBUTE_UNSUPPORTED=module loading: deploy | ERR_INPUT_TYPE_NOT_ALLOWED=module loading: deploy |
   ERR_INVALID_MODULE_SPECIFIER=module loading: deploy | ERR_INVALID_PACKAGE_CONFIG=module loading: deploy |
   ERR_INVALID_PACKAGE_TARGET=module loading: deploy | ERR_LOADER_CHAIN_INCOMPLETE=module loading: deploy |
   ERR_REQUIRE_CYCLE_MODULE=module loading: deploy | ERR_UNKNOWN_MODULE_FORMAT=module loading: deploy |
   ERR_UNSUPPORTED_ESM_URL_SCHEME=module loading: deploy | ERR_UNSUPPORTED_RESOLVE_REQUEST=module loading: deploy
u85 ERR_CRYPTO_FIPS_UNAVAILABLE | ERR_WORKER_PATH
u88 ERR_REQUIRE_ASYNC_MODULE=deploy | ERR_SOCKET_BAD_PORT
u90 ERR_ACCESS_DENIED=permission model | ERR_NO_ICU | ERR_REQUIRE_ESM=deploy | ERR_UNKNOWN_BUILTIN_MODULE=node version |
   ERR_UNKNOWN_FILE_EXTENSION=deploy | ERR_UNSUPPORTED_DIR_IMPORT=deploy
u92 ERR_MODULE_NOT_FOUND=deploy | ERR_PACKAGE_IMPORT_NOT_DEFINED=deploy | ERR_PACKAGE_PATH_NOT_EXPORTED=deploy |
   MODULE_NOT_FOUND=commonjs module missing: deploy
u93 ERR_NO_CRYPTO
# node-class class
- AggregateError | SuppressedError | DOMException | SystemError | Error
l55 NotFoundError
p70 TypeError
p75 RangeError
p80 EvalError | InternalError
p82 DataCloneError | AssertionError
p93 ReferenceError
s60 SyntaxError
s65 InvalidCharacterError
s72 URIError
t50? AbortError
t60 QuotaExceededError
t90? TimeoutError
# node-message message
p50 JavaScript heap out of memory
p65 Invalid string length
p72 Cannot convert undefined or null to object
p75 Cannot read properties of undefined | Cannot read properties of null | Cannot read property |
   Cannot destructure property | is not iterable
p82 Cannot set properties of undefined | Invalid array length | toFixed() digits argument must be between
p85 Cannot mix BigInt and other types | Reduce of empty array with no initial value
p88 is not a function | Maximum call stack size exceeded | Callback was already called
p90 Class constructor
p93 is not defined | is not a constructor | Converting circular structure to JSON |
   Do not know how to serialize a BigInt
p95 Assignment to constant variable
s78 Invalid time value
s85 Unexpected token
s95 Unexpected end of JSON input | Unexpected non-whitespace character after JSON |
   Expected property name or '}' in JSON | Bad control character in string literal in JSON |
   Unterminated string in JSON
s96 is not valid JSON
u92 Cannot find module
u95 Missing required environment variable
`;
