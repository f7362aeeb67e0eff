/** JSON-RPC, GraphQL, OAuth 2 and WebSocket. The notation is explained in read-table.ts. */
export const protocols = `
# jsonrpc code
- -32000=Server error
p70 -32601=Method not found
p75 -32600=Invalid Request
s80 -32602=Invalid params
s90 -32700=Parse error
t45? -32603=Internal error
# graphql code
- INTERNAL_SERVER_ERROR=callee fault; see extensions
b60 CONFLICT=by convention
l75 NOT_FOUND=by convention
p65 BAD_REQUEST=request malformed
p70 OPERATION_RESOLUTION_FAILURE=operation name
p75 GRAPHQL_VALIDATION_FAILED=query does not fit schema; deploy order
p85 GRAPHQL_PARSE_FAILED=query does not parse
s85 BAD_USER_INPUT=argument refused
t85 PERSISTED_QUERY_NOT_FOUND=send full query
t95 THROTTLED=shopify and others
u80 PERSISTED_QUERY_NOT_SUPPORTED=setting
u90 FORBIDDEN=rights
u95 UNAUTHENTICATED=credentials
# oauth2 code
t80 server_error=authorization server fault
t90 authorization_pending=device flow polling
t95 slow_down=device flow polling
t97 temporarily_unavailable=overload
u75 invalid_request=token request malformed
u80 expired_token=start again
u85 access_denied=user or policy refused | interaction_required=user must act
u88 invalid_token=bearer token expired or wrong
u90 invalid_grant=refresh token revoked or expired | unsupported_grant_type=setup | invalid_scope=scope
u95 unauthorized_client=grant not allowed | insufficient_scope=scope
u97 invalid_client=client credentials
# websocket code
- 1000=normal closure
p55 1002=protocol error
s75 1003=unsupported data | 1009=message too big
s85 1007=invalid payload
t60? 1005=no status
t65? 1011=internal error
t85 1001=going away
t90 1014=bad gateway
t90? 1006=abnormal closure
t95 1012=service restart
t97 1013=try again later
u65 1008=policy violation | 1015=tls handshake
u70 1010=mandatory extension
`;
