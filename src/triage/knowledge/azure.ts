/** Azure Service Bus and Cosmos DB. The notation is explained in read-table.ts. */
export const azure = `
# azure-amqp code
- com.microsoft:message-wait-timeout=MessageWaitTimeout
b45 com.microsoft:entity-already-exists=MessagingEntityAlreadyExistsError
b50 amqp:precondition-failed=PreconditionFailedError | com.microsoft:precondition-failed=PreconditionFailedError
l85 com.microsoft:message-not-found=MessageNotFoundError
p50 amqp:frame-size-too-small=FrameSizeTooSmallError | amqp:session:window-violation=SessionWindowViolationError
p60 amqp:not-allowed=InvalidOperationError | amqp:invalid-field=InvalidFieldError |
   amqp:illegal-state=IllegalStateError
p65 com.microsoft:argument-out-of-range=ArgumentOutOfRangeError | com.microsoft:argument-error=ArgumentError
p70 amqp:not-implemented=NotImplementedError
s65 amqp:link:message-size-exceeded=MessageTooLargeError
s85 amqp:decode-error=DecodeError
t50 amqp:session:handle-in-use=HandleInUseError
t50? amqp:connection:framing-error=FramingError
t55 amqp:session:errant-link=ErrantLinkError | amqp:session:unattached-handle=UnattachedHandleError
t60? system:error=SystemError
t65 amqp:resource-limit-exceeded=QuotaExceededError | amqp:link:stolen=ReceiverDisconnectedError
t70 com.microsoft:store-lock-lost=StoreLockLostError | com.microsoft:partition-not-owned=PartitionNotOwnedError |
   amqp:link:redirect=LinkRedirectError | amqp:connection:redirect=ConnectionRedirectError
t75 amqp:resource-locked=ResourceLockedError
t75? com.microsoft:message-lock-lost=MessageLockLostError | com.microsoft:session-lock-lost=SessionLockLostError
t80? com.microsoft:operation-cancelled=OperationCancelledError
t85 com.microsoft:session-cannot-be-locked=SessionCannotBeLockedError |
   amqp:link:transfer-limit-exceeded=TransferLimitExceededError
t85? amqp:internal-error=InternalServerError
t90 client.sender:not-enough-link-credit=SenderBusyError | client.sender:link-not-ready=SenderNotReadyError
t90? com.microsoft:timeout=ServiceUnavailableError
t95? amqp:link:detach-forced=DetachForcedError | amqp:connection:forced=ConnectionForcedError
t97 com.microsoft:server-busy=ServerBusyError
u70 com.microsoft:address-already-in-use=AddressAlreadyInUseError | amqp:not-found=ServiceCommunicationError |
   com.microsoft:relay-not-found=RelayNotFoundError
u75 com.microsoft:no-matching-subscription=NoMatchingSubscriptionError | amqp:resource-deleted=ResourceDeletedError
u85 com.microsoft:entity-disabled=MessagingEntityDisabledError | amqp:unauthorized-access=UnauthorizedError
u90 com.microsoft:publisher-revoked=PublisherRevokedError | com.microsoft:auth-failed=UnauthorizedError
# azure-servicebus code
- GeneralError=client-side generic
b45 MessagingEntityAlreadyExists
l85 MessageNotFound=deferred message gone
s70 MessageSizeExceeded=message too large
t50? AbortError=caller cancelled
t65 QuotaExceeded=entity full; drain or raise
t75? MessageLockLost=settle failed; work may be done | SessionLockLost
t85 SessionCannotBeLocked | InsufficientCreditError
t90? ServiceTimeout | ServiceCommunicationProblem | OperationTimeoutError
t97 ServiceBusy=throttled
u85 MessagingEntityNotFound=queue, topic or subscription missing | MessagingEntityDisabled
u93 UnauthorizedAccess
# azure-servicebus-dlq-reason reason
- MaxDeliveryCountExceeded=delivery count used up; cause is in the consumer |
   TTLExpiredException=time to live passed before anyone took it
s60 HeaderSizeExceeded=headers over quota
s75 Session ID is null=session entity got message without session id
u80 MaxTransferHopCountExceeded=auto-forward chain too long
# azure-cosmos code
- 424=FailedDependency
b75 409=Conflict
l75 404=NotFound
s70 400=BadRequest
s75 413=RequestEntityTooLarge
t50? 1201=OperationCancelled
t65 412=PreconditionFailed
t80? 500=InternalServerError
t90 410=Gone
t90? 408=RequestTimeout
t95 503=ServiceUnavailable
t97 429=TooManyRequests | 449=RetryWith
u90 403=Forbidden
u95 401=Unauthorized
`;
