/** AWS services and the Lambda runtime. The notation is explained in read-table.ts. */
export const aws = `
# aws code
- CodeArtifactUserDeletedException | CodeArtifactUserFailedException | CodeArtifactUserPendingException |
   ModeNotSupportedException | ExportConflictException | ImportConflictException |
   PointInTimeRecoveryUnavailableException | TransactionCanceledException | DryRunOperationException=dry run passed |
   JWTPayloadSizeExceededException | OutboundWebIdentityFederationDisabledException |
   SessionDurationEscalationException | CannotDeleteException | CannotDelete | DatabaseErrorException |
   ModelErrorException=model side error
b40 BucketAlreadyOwnedByYou
b45 GlobalTableAlreadyExistsException=exists or in use | ReplicaAlreadyExistsException=exists or in use |
   TableAlreadyExistsException=exists or in use | TableInUseException=exists or in use | StateMachineAlreadyExists |
   CloudHsmClusterInUseException=exists or in use | CustomKeyStoreNameInUseException=exists or in use |
   XksKeyAlreadyInUseException=exists or in use | XksProxyUriEndpointInUseException=exists or in use |
   XksProxyUriInUseException=exists or in use | XksProxyVpcEndpointServiceInUseException=exists or in use |
   ConfigurationSetAlreadyExistsException=exists or in use | ConfigurationSetAlreadyExists=exists or in use |
   CustomVerificationEmailTemplateAlreadyExistsException=exists or in use |
   CustomVerificationEmailTemplateAlreadyExists=exists or in use |
   EventDestinationAlreadyExistsException=exists or in use | EventDestinationAlreadyExists=exists or in use |
   TrackingOptionsAlreadyExistsException=exists or in use
b50 ItemCollectionSizeLimitExceededException=collection over 10 GB | ResourceAlreadyExistsException |
   ActivityAlreadyExists | ObjectAlreadyInActiveTierError | ResourceExistsException |
   ItemCollectionSizeLimitExceeded=dynamodb cancellation reason
b60 AlreadyExistsException | AlreadyExists | MessageRejected=content refused or address not verified |
   PreconditionFailed=s3 if-match false; version moved
b70 DurableExecutionAlreadyStartedException=already started | ExecutionNotRedrivable
b75 DuplicateItemException=item exists
b80 ConditionalCheckFailedException | ExecutionAlreadyExists | DataAlreadyAcceptedException=already accepted |
   ConditionalCheckFailed=dynamodb cancellation reason
b90 OptedOutException=phone number opted out | OptedOut=phone number opted out
l50 NotFoundException=named item missing; data or infrastructure | NotFound=named item missing; data or infrastructure |
   ObjectNotInActiveTierError
l55 InvalidToken
l60 BackupNotFoundException | InvalidObjectState=object archived | NoSuchAnnotation |
   TransactionNotFoundException=transaction expired | InvalidPart=multipart part missing
l70 ReceiptHandleIsInvalid=handle expired or of another queue | EndpointDisabledException=device endpoint disabled |
   EndpointDisabled=device endpoint disabled
l75 MessageNotInflight=visibility expired; message already back | TaskTimedOut=token expired or execution ended |
   AWS.SimpleQueueService.MessageNotInflight=visibility expired
l85 TrimmedDataAccessException=stream records aged out | ExecutionDoesNotExist | TaskDoesNotExist=task token gone |
   NoSuchUpload=multipart upload aborted or done
l90 GoneException=websocket client gone | NoSuchVersion=object version gone
l95 NoSuchKey=object gone (claim check)
p50 UserErrorException | UserError | TagException
p55 InvalidRequestException | InvalidOperationException
p60 InvalidArgumentException | InvalidName | TooManyTags | InvalidRequest | TooManyParts | TooManyTagsException |
   EntityTooSmall=multipart part too small
p65 InvalidWriteOffset | InvalidDigest=md5 header malformed | InvalidParameterCombination=arguments conflict
p70 InvalidAttributeName | UnsupportedOperation | StateMachineTypeNotSupported | UnsupportedOperationException |
   InvalidTemplateException | InvalidTemplate | UnsupportedResultException | MalformedXML=request xml |
   AWS.SimpleQueueService.UnsupportedOperation=unsupported | InvalidAction=action unknown
p75 InvalidBatchEntryId | InvalidBatchEntryIdException | MalformedQueryException |
   UnknownOperationException=operation unknown to endpoint
p80 BatchEntryIdsNotDistinct=duplicate entry ids in batch call | EmptyBatchRequest=empty batch |
   BatchEntryIdsNotDistinctException=duplicate entry ids in batch call | EmptyBatchRequestException=empty batch |
   AWS.SimpleQueueService.BatchEntryIdsNotDistinct=batch ids
p85 TooManyEntriesInBatchRequest | TooManyEntriesInBatchRequestException |
   IdempotentParameterMismatchException=same token with other parameters | IdempotencyParameterMismatch
p90 RecursiveInvocationException=loop detected by lambda
s55 InvalidAttributeValue | InvalidParameterException=argument refused | InvalidParameter=argument refused |
   InvalidParameterValueException=argument refused | ParameterValueInvalid=argument refused | BadRequestException |
   InvalidParameterValue=argument refused
s60 BatchRequestTooLong=batch over size limit | InvalidIdFormat=receipt handle format |
   BatchRequestTooLongException=batch over size limit | UnsupportedMediaType | MissingParameter=parameter missing
s65 MissingRequiredParameter | IncorrectKeyException=ciphertext made with another key | PayloadTooLargeException |
   KeyTooLongError=object key too long
s70 ValidationException=request failed validation | RequestTooLargeException=payload over 6 MB |
   SerializedRequestEntityTooLargeException=payload too large | UnsupportedMediaTypeException |
   EntityTooLarge=s3 object too large | ValidationError | SerializationException=request body not parseable by service
s80 InvalidCiphertextException=ciphertext corrupt or wrong context | KMSInvalidMacException=mac does not verify |
   KMSInvalidSignatureException=signature does not verify
s85 InvalidRequestContentException=payload not valid json | InvalidOutput=output not valid json |
   InvalidRenderingParameterException=template data invalid | InvalidRenderingParameter=template data invalid |
   MissingRenderingAttributeException=template data misses an attribute |
   MissingRenderingAttribute=template data misses an attribute
s90 InvalidMessageContents=characters not allowed in body | InvalidExecutionInput=input not valid json
t50 PreconditionFailedException=revision changed | IllegalStatusException |
   InvalidGrantTokenException=grant not yet consistent | InvalidMarkerException
t60 CallbackTimeoutException | CapacityProviderLimitExceededException | SnapStartRegenerationFailureException |
   LimitExceededException=throttle in kinesis; hard limit elsewhere |
   LimitExceeded=throttle in kinesis; hard limit elsewhere | ActivityLimitExceeded | ConflictException |
   InvalidNextTokenException | InvalidResourceStateException | SessionStreamingException | BadDigest |
   IncompleteBody=body shorter than announced
t65 ResourceConflictException=resource exists or busy
t70 ReplayLimitExceededException | ReplayLimitExceeded | StaleTagException | StaleTag | EFSIOException |
   BackupInUseException | XksProxyUriUnreachableException | InternalStreamingException | SessionTimeoutException |
   ModelStreamErrorException
t75 ResourceInUseException
t80 QueueDeletedRecently=wait 60 s | EC2UnexpectedException | EFSMountConnectivityException |
   S3FilesMountConnectivityException | ActivityWorkerLimitExceeded | KeyUnavailableException |
   InvalidSequenceTokenException
t80? StatementTimeoutException=statement may go on running
t85 OverLimit=too many in flight | PurgeQueueInProgress | ConcurrentAccessException | ConcurrentAccess |
   EFSMountTimeoutException | S3FilesMountTimeoutException | SnapStartTimeoutException |
   ExpiredNextTokenException=restart listing | ConcurrentModificationException | ExecutionLimitExceeded |
   OperationAbortedException | ServiceFailure=500 | OperationAborted=conflicting s3 operation |
   ConditionalRequestConflict=s3 concurrent conditional write |
   AWS.SimpleQueueService.PurgeQueueInProgress=purge running
t85? InternalErrorException | InternalError | ServiceException=lambda internal | InternalException |
   InternalServiceError | InternalServiceErrorException | ModelTimeoutException
t90 ENINotReadyException | ResourceNotReadyException=function idle or waking | SnapStartNotReadyException |
   ExpiredIteratorException=ask for a new iterator | DependencyTimeoutException | KMSInternalException |
   DatabaseUnavailableException | Unavailable=ec2 503
t90? InternalServerError | TransactionInProgressException=same token still running | InternalFailureException |
   InternalServerErrorException | InternalServerException | TimeoutError=sdk request timeout | InternalFailure=500 |
   NetworkingError=sdk network error
t95 KmsThrottled | KMSThrottlingException | KMSThrottling | EC2ThrottledException | ReplicatedWriteConflictException |
   RequestLimitExceeded | TransactionConflictException | KmsThrottlingException | IDPCommunicationErrorException |
   IDPCommunicationError | DatabaseResumingException=serverless cluster waking | ServiceUnavailableError |
   ModelNotReadyException | BandwidthLimitExceeded=throttled | PriorRequestNotComplete=route53 serial changes |
   TransactionConflict=dynamodb cancellation reason
t95? RequestTimeout=upload idle or service timeout | RequestTimeoutException=service timeout
t97 RequestThrottled | ThrottledException | Throttled | TooManyRequestsException |
   ProvisionedThroughputExceededException | ThrottlingException | ServiceUnavailableException | Throttling=throttled |
   RequestThrottledException=throttled | SlowDown=s3 throttle (503) | ServiceUnavailable=503 |
   ProvisionedThroughputExceeded=dynamodb cancellation reason | ThrottlingError=dynamodb cancellation reason
u50 InvalidStateException | InvalidState | ExportNotFoundException=named item missing |
   GlobalTableNotFoundException=named item missing | ImportNotFoundException=named item missing |
   InvalidExportTimeException=setup argument refused | InvalidRestoreTimeException=setup argument refused |
   PolicyNotFoundException=named item missing | ReplicaNotFoundException=named item missing |
   InvalidEncryptionConfiguration=setup argument refused | InvalidLoggingConfiguration=setup argument refused |
   InvalidTracingConfiguration=setup argument refused | AnnotationNameTooLong=setup argument refused |
   InvalidAnnotationName=setup argument refused | InvalidPrefix=setup argument refused | PreconditionNotMetException |
   CloudHsmClusterInvalidConfigurationException=setup argument refused |
   CloudHsmClusterNotFoundException=named item missing | CustomKeyStoreInvalidStateException=setup argument refused |
   CustomKeyStoreNotFoundException=named item missing | IncorrectKeyMaterialException=setup argument refused |
   IncorrectTrustAnchorException=setup argument refused | InvalidAliasNameException=setup argument refused |
   InvalidImportTokenException=setup argument refused | XksKeyInvalidConfigurationException=setup argument refused |
   XksKeyNotFoundException=named item missing |
   XksProxyIncorrectAuthenticationCredentialException=setup argument refused |
   XksProxyInvalidConfigurationException=setup argument refused |
   XksProxyInvalidResponseException=setup argument refused |
   XksProxyVpcEndpointServiceInvalidConfigurationException=setup argument refused |
   XksProxyVpcEndpointServiceNotFoundException=named item missing |
   CustomVerificationEmailInvalidContentException=setup argument refused |
   CustomVerificationEmailInvalidContent=setup argument refused |
   CustomVerificationEmailTemplateDoesNotExistException=named item missing |
   CustomVerificationEmailTemplateDoesNotExist=named item missing |
   EventDestinationDoesNotExistException=named item missing | EventDestinationDoesNotExist=named item missing |
   InvalidCloudWatchDestinationException=setup argument refused | InvalidCloudWatchDestination=setup argument refused |
   InvalidConfigurationSetException=setup argument refused | InvalidConfigurationSet=setup argument refused |
   InvalidDeliveryOptionsException=setup argument refused | InvalidDeliveryOptions=setup argument refused |
   InvalidFirehoseDestinationException=setup argument refused | InvalidFirehoseDestination=setup argument refused |
   InvalidLambdaFunctionException=setup argument refused | InvalidLambdaFunction=setup argument refused |
   InvalidPolicyException=setup argument refused | InvalidPolicy=setup argument refused |
   InvalidS3ConfigurationException=setup argument refused | InvalidS3Configuration=setup argument refused |
   InvalidSNSDestinationException=setup argument refused | InvalidSNSDestination=setup argument refused |
   InvalidSnsTopicException=setup argument refused | InvalidSnsTopic=setup argument refused |
   InvalidTrackingOptionsException=setup argument refused | InvalidTrackingOptions=setup argument refused |
   RuleDoesNotExistException=named item missing | RuleDoesNotExist=named item missing |
   RuleSetDoesNotExistException=named item missing | RuleSetDoesNotExist=named item missing |
   TrackingOptionsDoesNotExistException=named item missing
u55 ResourceNotFoundException | ResourceNotFound | VerificationException
u60 QueueNameExists | FunctionVersionsPerCapacityProviderLimitExceededException=account or resource limit |
   SnapStartException | InvalidSourceException | ActivityDoesNotExist |
   AnnotationLimitExceeded=account or resource limit | BucketAlreadyExists |
   CloudHsmClusterNotActiveException=key store setup | CloudHsmClusterNotRelatedException=key store setup |
   CustomKeyStoreHasCMKsException=key store setup | RequestExpired=clock skew or stale signed request
u65 ServiceQuotaExceededException=quota; raise it | EncryptionFailure
u70 KMSInvalidStateException | KMSInvalidState | TagLimitExceededException | TagLimitExceeded |
   AliasLimitExceededException | EFSMountFailureException | ENILimitReachedException=vpc eni quota |
   NoPublishedVersionException | S3FilesMountFailureException | ContinuousBackupsUnavailableException | InvalidArn |
   KmsInvalidStateException | StateMachineDeleting | StateMachineLimitExceeded | DecryptionFailure |
   ExpiredImportTokenException | InvalidGrantIdException | ExpiredTradeInTokenException |
   InvalidAuthorizationMessageException | RequestInTheFuture=clock skew | RequestTimeTooSkewed=clock skew
u75 InvalidAddress=bad queue address | KmsInvalidState=key state | FilterPolicyLimitExceededException |
   FilterPolicyLimitExceeded | SubscriptionLimitExceededException | SubscriptionLimitExceeded | TagPolicyException |
   TagPolicy | TopicLimitExceededException | TopicLimitExceeded | PolicyLengthExceededException |
   ProvisionedConcurrencyConfigNotFoundException | SubnetIPAddressLimitReachedException | IndexNotFoundException |
   TableNotFoundException | InvalidEventPatternException | ManagedRuleException | InvalidDefinition |
   EncryptionTypeMismatch | InvalidArnException | TemplateDoesNotExistException | TemplateDoesNotExist |
   InvalidSignatureException=signature or clock skew
u80 KmsNotFound=key missing | QueueDoesNotExist=queue missing | KMSNotFoundException | KMSNotFound |
   PlatformApplicationDisabledException | PlatformApplicationDisabled | CodeSigningConfigNotFoundException |
   OperationDisabledException | StateMachineDoesNotExist | NoSuchBucket |
   ExpiredTokenException=credentials expired; refresh | PackedPolicyTooLargeException | PackedPolicyTooLarge |
   ConfigurationSetSendingPausedException | SendingPausedException | DatabaseNotFoundException | SecretsErrorException |
   SignatureDoesNotMatch=secret key or clock skew |
   AWS.SimpleQueueService.NonExistentQueue=queue missing (query protocol)
u85 InvalidSecurity=needs https and sigv4 | KmsDisabled=key disabled | KmsInvalidKeyUsage | KmsOptInRequired |
   InvalidSecurityException | KMSDisabledException | KMSDisabled | KMSOptInRequired | CodeStorageExceededException |
   CodeVerificationFailedException | InvalidCodeSignatureException | InvalidRuntimeException | PublicPolicyException |
   InvalidKMSResourceException | MalformedPolicyDocumentException | MalformedPolicyDocument | InvalidKeyUsageException |
   InvalidIdentityTokenException | InvalidIdentityToken | AccountSendingPausedException |
   ConfigurationSetDoesNotExistException | ConfigurationSetDoesNotExist | InvalidSecretException |
   AuthFailure=credentials; also in clock-skew list | ExpiredToken=session expired; refresh |
   OptInRequired=account not subscribed | IncompleteSignature=not signed properly | PermanentRedirect=wrong region |
   AuthorizationHeaderMalformed=wrong region in signature | CredentialsProviderError=sdk found no credentials
u90 InvalidSecurityGroupIDException | InvalidSubnetIDException | InvalidZipFileException |
   DisabledException=key disabled | IDPRejectedClaimException | IDPRejectedClaim | RegionDisabledException |
   FromEmailAddressNotVerifiedException | FromEmailAddressNotVerified | MailFromDomainNotVerifiedException |
   ProductionAccessNotGrantedException=sandbox account | ProductionAccessNotGranted=sandbox account |
   AccountSuspendedException | ForbiddenException | HttpEndpointNotEnabledException | NotAuthorized=iam |
   MissingAuthenticationToken=not signed | AllAccessDisabled=bucket blocked | AccountProblem=account
u93 AccessDeniedException=iam; sdk also lists it for clock skew | AccessDenied |
   UnrecognizedClientException=credentials
u95 KmsAccessDenied | AuthorizationErrorException | AuthorizationError | KMSAccessDeniedException | KMSAccessDenied |
   EC2AccessDeniedException=function vpc rights | KmsAccessDeniedException | InvalidClientTokenId=access key unknown |
   InvalidAccessKeyId=access key unknown | UnauthorizedOperation=iam
# aws-runtime code
- Runtime.UnhandledPromiseRejection | Runtime.Unknown | Function.Unknown | States.TaskFailed | States.BranchFailed |
   States.ItemReaderFailed=map reader | States.ExceedToleratedFailureThreshold=map run
p50 Runtime.ExitError=runtime process exited; crash or out of memory
p55 Runtime.OutOfMemory=function memory exhausted
p60 Runtime.NodeJsExit=process.exit or dead event loop | Function.ResponseSizeTooLarge=response over 6 MB |
   States.IntrinsicFailure=intrinsic function | States.Runtime=path or json problem in definition |
   States.QueryEvaluationError=jsonata error
p65 States.NoChoiceMatched=no branch for this input
p70 Runtime.MarshalError=response not serializable
p90 Runtime.UserCodeSyntaxError=code does not parse
s65 States.DataLimitExceeded=payload over 256 KB | States.ParameterPathFailure=path not in input |
   States.ResultPathMatchFailure=result path
s80 Runtime.UnmarshalError=event not parseable
t50? Lambda.Unknown=function ran out of memory or timed out
t60 Sandbox.Failure=sandbox failed
t60? Sandbox.Timedout=function timed out; side effects may have run |
   Task timed out=lambda log text; side effects may have run
t65? States.Timeout=step functions timeout
t70? States.HeartbeatTimeout=worker silent
t80? Lambda.AWSLambdaException=states wrapper
t85? Lambda.SdkClientException=states wrapper | Lambda.ClientExecutionTimeoutException=states wrapper
t90? Lambda.ServiceException=states wrapper
t97 Lambda.TooManyRequestsException=states wrapper
u50 Extension.Crash=extension died
u60 Extension.InitError=extension init
u80 Runtime.ImportModuleError=handler module or dependency missing: deploy
u85 Runtime.HandlerNotFound=handler name wrong: deploy | Runtime.InvalidEntrypoint=image entrypoint |
   Runtime.InvalidWorkingDir=image setup
u95 States.Permissions=iam
`;
