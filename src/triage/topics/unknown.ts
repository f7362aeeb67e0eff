import type { Topic } from "./topic.ts";

/** Somebody must change configuration, rights or a deployment first; or the words hide the cause. */
export const unknownTopics: readonly Topic[] = [
  {
    id: "credentials",
    confidence: 0.9,
    means: "credentials are wrong, missing or expired: that is set up by people",
    phrases: `authentication failed | authenticationfailed | authentication exception | authentication required
      | authentication error | authentication unavailable | failed to authenticate | could not authenticate
      | unauthenticated | not authenticated | unauthorized | unauthorised | invalid credentials | invalid_grant
      | invalid grant | invalid client | invalid_client | bad credentials | credentials are not valid
      | wrong credentials | credential* + expired | invalid api key | invalid apikey | api key + invalid
      | incorrect api key | api key not valid | invalid token | invalid_token | token expired | expired token
      | expired token* | token is expired | token has expired | token included in the request is expired | jwt expired
      | access token + expired | invalid access token | invalid_auth | token_revoked | token revoked | account_inactive
      | login failed | invalid login | logon failure | password authentication failed | access denied for user
      | username and password not accepted | invalid username or password | signature + not match
      | signature does not match | invalid signature | security token | unrecognized client* | invalid client token id
      | missing credentials | could not load credentials | unable to locate credentials | no credentials
      | determine credentials | default credentials* | credential unavailable* | managed id entity | noauth | wrongpass
      | eauth | sasl + failed | sasl authentication* | kerberos | gssapi | oauth2 | refresh token | not logged in
      | must be authenticated | authorization header | test mode + live | livemode | live mode key
      | sandbox credentials | clock skew | request time too skewed | request time + skewed | expired or revoked
      | revoked token | credential + insufficient | bad token | invalid session token | could not refresh token
      | failed to obtain token | token request failed | failed to authenticate on | authenticators | wrong password
      | bad password | api key missing | missing api key | no api key | not signed in | token refresh error
      | token has been revoked | token has been expired`,
  },
  {
    id: "rights",
    confidence: 0.88,
    means: "we are not allowed to: somebody must grant it",
    phrases: `access denied | access denied* | access_refused | access refused | permission denied | permission denied*
      | insufficient privilege* | insufficient permission* | insufficient scope | insufficient_scope | missing_scope
      | not authorized to | not authorized | is not authorized | unauthorized access* | forbidden
      | does not have permission | missing permissions | missing access | operation not permitted | eacces | eperm
      | not_allowed_token_type | requires + permission | lacks the privilege | authorization exception
      | topic authorization* | group authorization* | policy denied | denied by policy | denied by | approval required
      | approval_required | requires human approval | requires approval | governance* | permission | permissions
      | no privileges | privileges | insufficient permission | not authorized error | requires role | required role
      | missing role | missing permission`,
  },
  {
    id: "certificate",
    confidence: 0.9,
    means: "the other side's certificate is not trusted: that is set up by people",
    phrases: `certificate verify failed | certificate signed by unknown | unknown authority | self signed certificate
      | self-signed | certificate has expired | certificate is not yet valid | unable to get local issuer
      | unable to verify the first certificate | certificate + invalid | certificate is not valid | x509
      | sslhandshake* | ssl handshake | pkix path | cert_has_expired | hostname doesn t match | hostname mismatch
      | altnames | ssl routines | tls alert | wrong version number | ssl certificate problem | sslerror
      | certificate error | remote certificate is invalid`,
  },
  {
    id: "unexpected-state",
    confidence: 0.66,
    means: "the code was in a state that it did not expect, and does not say which",
    phrases:
      "illegal state | illegal state exception | invalid state | invalid operation | invalid operation exception",
  },
  {
    id: "deployment",
    confidence: 0.88,
    means: "code, a module or a setting is missing where it runs: that is a deployment",
    phrases: `no module named | module not found* | cannot find module | module not found | module_not_found
      | cannot find package | import error | cannot import name | loaderror | cannot load such file
      | uninitialized constant | class not found* | class not found | no class def found* | attempted to load class
      | could not load file or assembly | could not load type | dll not found* | unsatisfied link* | library not loaded
      | shared object file | unable to resolve service | no qualifying bean | no such bean* | unsatisfied dependency*
      | bean creation* | could not resolve placeholder | received unregistered task | not registered in
      | unknown job class | unknown job class* | no handler for message | no handler registered | no handler for*
      | no handlers could be found | no consumer registered | no processor registered | missing process handler
      | undefined worker | environment variable | env var | configuration error | configuration + invalid
      | misconfigured | not configured | improperly configured | missing configuration | invalid configuration
      | invalid config | no such command | command not found | unsupported version | unsupported class file
      | unsupported class version* | exec format error | pending migration* | relation + does not exist
      | table + doesn t exist | table + does not exist | table or view does not exist | no such table | table not found
      | table + was not found | undefined table | undefinedtable | invalid object name | base table or view not found
      | no such index | index_not_found* | index not found | database + does not exist | unknown database
      | no such database | no such bucket | bucket does not exist | bucket + not exist | bucket + not found
      | queue does not exist | nonexistentqueue | queue not found | no exchange | exchange not found | topic not found
      | unknown topic | unknown topic* | topic does not exist | stream not found | no stream matches
      | no such container | container not found | function not found | no such function + deployed | not_found no queue
      | feature is not enabled | api + not been used in project | api is disabled | not enabled on | missing migration
      | run migrations | unapplied migration* | not_found + queue | not_found + exchange | missing config
      | config + missing | celery + not registered | task + not registered | no queue + in vhost
      | no exchange + in vhost | environment variable not found | missing environment | connection string is empty
      | connection name + was not found | not found in the applications configuration | configuration file
      | config file | config yaml | settings are missing | missing setting | invalid setting
      | property is not configured | no configuration | unable to load configuration | license file`,
  },
  {
    id: "plan-limit",
    confidence: 0.9,
    means: "a quota or plan is used up, which waiting does not heal",
    phrases: `exceeded your current quota | insufficient_quota | insufficient quota | check your plan and billing
      | billing | upgrade your plan | plan limit | plan + unavailable | subscription plan | payment required
      | account limit | account quota | service quota exceeded* | service quota | quota exceeded for project
      | monthly quota | monthly limit | trial + expired | trial has ended | license + expired | licence expired
      | license expired | hard limit | daily sending quota | daily limit exceeded | account suspended
      | account has been suspended | account disabled | account deactivated | storage quota`,
  },
  {
    id: "wrapper",
    confidence: 0.86,
    means: "it only says that something inside it failed, not why",
    phrases: `unrecoverable exception | tolerance exceeded | no fallback available | no fallback*
      | listener threw exception | listener execution failed* | see inner exception | see nested exception
      | invocation target* | undeclared throwable* | failed with error | see inner | execution failed`,
  },
  {
    id: "stalled",
    confidence: 0.86,
    means: "the worker lost it on the way, so it may have been done halfway",
    effect: "always",
    phrases: `stalled | job stalled | stalled more than | worker lost* | worker lost | worker exited prematurely
      | worker terminated | worker died | worker was killed | worker crashed | process exited | process crashed
      | process terminated | runtime exited | signal killed | sigkill | sigterm | exited with error | oomkilled
      | oom killed | killed by | exit status 137 | exit code 137 | missing lock | missing key for job | task timed out
      | function timed out | function timeout | function invocation timed out | sandbox timed out
      | execution timed out after | function timeout* | ack timeout | acknowledgement timed out | consumer_timeout
      | delivery acknowledgement | pruned | orphaned job | lost job | job lost | heartbeat lost | zombie
      | unknown_commit_state | partial_external_write | partially completed | partial failure | partially applied
      | function terminated | terminated after | invocation terminated | killed | restarted while processing
      | container was killed | evicted | terminated by signal | terminated unexpectedly while`,
  },
  {
    id: "server-error",
    confidence: 0.7,
    means: "the other side failed and does not say why",
    phrases: `internal server error | internal error | internal_error | unknown error | unknown_error
      | unexpected error | an error occurred | an unexpected error | something went wrong | server error
      | unexpected exception | unspecified error | general error | generic error | unknown exception | fatal error
      | internal failure | unhandled exception`,
  },
  {
    id: "memory",
    confidence: 0.8,
    means: "the process ran out of memory, which may be this message or the process",
    phrases: `out of memory | out of memory* | java heap space | heap out of memory | memory error
      | cannot allocate memory | gc overhead limit | enomem | failed to allocate | unable to create new native thread
      | metaspace`,
  },
];
