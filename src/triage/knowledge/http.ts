/** HTTP status codes. The notation is explained in read-table.ts. */
export const http = `
# http code
- 418=I'm a Teapot | 424=Failed Dependency
b60 409=Conflict
b70 402=Payment Required
b80 451=Unavailable For Legal Reasons
l70 404=Not Found
l92 410=Gone
p50 416=Range Not Satisfiable | 417=Expectation Failed | 510=Not Extended
p60 414=URI Too Long | 431=Request Header Fields Too Large | 494=Request Header Too Large | 508=Loop Detected
p65 406=Not Acceptable | 501=Not Implemented
p70 411=Length Required | 428=Precondition Required
p75 405=Method Not Allowed
s60 422=Unprocessable Entity
s70 400=Bad Request | 413=Payload Too Large | 415=Unsupported Media Type
t50 412=Precondition Failed
t60 421=Misdirected Request | 530=Origin DNS Error
t60? 460=Client Closed Connection
t65? 500=Internal Server Error
t70 507=Insufficient Storage | 527=Railgun Error
t70? 444=No Response
t75? 499=Client Closed Request
t80 423=Locked | 449=Retry With
t80? 520=Web Server Returned an Unknown Error
t85 509=Bandwidth Limit Exceeded | 599=Network Connect Timeout
t85? 598=Network Read Timeout
t90 425=Too Early | 523=Origin Is Unreachable
t90? 408=Request Timeout | 524=A Timeout Occurred
t93 521=Web Server Is Down | 522=Connection Timed Out | 529=Site Is Overloaded
t93? 502=Bad Gateway | 504=Gateway Timeout
t97 429=Too Many Requests | 503=Service Unavailable
u50 506=Variant Also Negotiates
u60 463=Too Many Forwarded Addresses
u65 525=SSL Handshake Failed
u70 440=Login Time-out | 464=Incompatible Protocol | 505=HTTP Version Not Supported
u75 426=Upgrade Required
u80 498=Invalid Token | 511=Network Authentication Required
u85 403=Forbidden | 495=SSL Certificate Error | 496=SSL Certificate Required | 497=HTTP Request Sent to HTTPS Port |
   561=Unauthorized
u88 526=Invalid SSL Certificate
u92 401=Unauthorized
u93 407=Proxy Authentication Required
`;
