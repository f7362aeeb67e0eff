/** MongoDB codes and labels. The notation is explained in read-table.ts. */
export const mongodb = `
# mongodb code
- 1=InternalError | 8=UnknownError | 19=CannotReuseObject | 21=EmptyArrayOperation | 23=AlreadyInitialized |
   29=NonExistentPath | 30=InvalidPath | 32=RolesNotRelated | 34=CannotBackfillArray | 35=UserModificationFailed |
   36=RemoteChangeDetected | 37=FileRenameFailed | 38=FileNotOpen | 39=FileStreamFailed | 41=FileAlreadyOpen |
   42=LogWriteFailed | 45=UserDataInconsistent | 49=InvalidRoleModification | 51=ManualInterventionRequired |
   54=NotSingleValueField | 55=InvalidDBRef | 58=RoleModificationFailed | 65=MultipleErrorsOccurred |
   78=CommandResultSchemaViolation | 80=RoleDataInconsistent | 81=NoMatchParseContext | 82=NoProgressMade |
   87=CannotSplit | 92=SecondaryAheadOfPrimary | 96=OperationFailed | 97=NoProjectionFound | 98=DBPathInUse |
   104=NodeNotElectable | 106=DistributedClockSkewed | 108=InconsistentReplicaSetNames |
   110=CannotInitializeNodeWithData | 111=NotExactValueField | 113=InitialSyncFailure | 118=NamespaceNotSharded |
   119=InvalidSyncSource | 125=CommandFailed | 126=RPCProtocolNegotiationFailed | 127=UnrecoverableRollbackError |
   129=LockStateChangeFailed | 138=RemoteOplogStale | 142=JSUncatchableError | 147=ZLibError |
   151=OperationCannotBeBatched | 152=OplogOutOfOrder | 153=ChunkTooBig | 154=InconsistentShardIdentity |
   155=CannotApplyOplogWhilePrimary | 159=DurationOverflow | 160=MaxStalenessOutOfRange | 162=CollectionIsEmpty |
   163=ZoneStillInUse | 164=InitialSyncActive | 165=ViewDepthLimitExceeded | 168=InvalidPipelineOperator |
   174=TransportSessionUnknown | 176=FileOpenFailed | 178=RangeOverlapConflict | 179=WindowsPdhError |
   180=BadPerfCounterPath | 181=AmbiguousIndexKeyPattern | 182=InvalidViewDefinition |
   184=ClientMetadataAppNameTooLarge | 185=ClientMetadataDocumentTooLarge | 186=ClientMetadataCannotBeMutated |
   192=FailPointEnabled | 195=ViewPipelineMaxSizeExceeded | 197=InvalidIndexSpecificationOption |
   201=CannotBuildIndexKeys | 204=TimeProofMismatch | 210=CannotVerifyAndSignLogicalTime | 218=UpdateOperationFailed |
   219=FTDCPathNotSet | 220=FTDCPathAlreadySet | 221=IndexModified | 222=CloseChangeStream | 226=AtomicityFailure |
   232=MaxSubPipelineDepthExceeded | 240=DNSRecordTypeMismatch | 242=CannotCreateCollection | 245=BrokenPromise |
   247=ProducerConsumerQueueBatchTooLarge | 248=ProducerConsumerQueueEndClosed |
   258=UnknownFeatureCompatibilityVersion | 259=KeyedExecutorRetry | 265=OrphanedRangeCleanUpFailed |
   266=FailPointSetFailed | 268=CannotBackup | 269=DataModifiedByRepair | 270=RepairedReplicaSetNode |
   271=JSInterpreterFailureWithStack | 273=ProducerConsumerQueueProducerQueueDepthExceeded |
   274=ProducerConsumerQueueConsumed | 275=ExchangePassthrough | 276=IndexBuildAborted | 277=AlarmAlreadyFulfilled |
   278=UnsatisfiableCommitQuorum | 283=WouldChangeOwningShard | 287=TransactionCoordinatorDeadlineTaskCanceled |
   289=WaitForMajorityServiceEarlierOpTimeAvailable | 293=InvalidSeedList | 294=InvalidTopologyType |
   295=InvalidHeartBeatFrequency | 296=TopologySetNameRequired | 297=HierarchicalAcquisitionLevelViolation |
   298=InvalidServerType | 299=OCSPCertificateStatusRevoked | 302=OCSPCertificateStatusUnknown |
   303=SplitHorizonChange | 306=ReadThroughCacheLookupCanceled | 309=ExhaustCommandFinished |
   311=TransactionCoordinatorCanceled | 312=OperationIsKilledAndDelisted | 313=ResumableRangeDeleterDisabled |
   315=TooStaleToSyncFromSource | 316=QueryTrialRunCompleted | 330=SkipCommandExecution |
   331=FailedToRunWithReplyBuilder | 333=ServiceExecutorInShutdown | 336=TimeseriesBucketCleared |
   337=AuthenticationAbandoned | 339=NoSuchReshardCollection | 340=ReshardCollectionCommitted |
   341=ReshardCollectionAborted | 342=ReshardingCriticalSectionTimeout | 343=ShardCannotRefreshDueToLocksHeld |
   350=ReshardCollectionTruncatedError | 351=ChangeStreamStartAfterInvalidate | 354=LoadBalancerSupportMismatch |
   356=TxnRetryCounterTooOld | 359=CannotConvertIndexToUnique | 360=PlacementVersionRefreshCanceled |
   362=FutureAlreadyRetrieved | 366=WouldChangeOwningShardDeletedNoDocument | 367=FLECompactionPlaceholder |
   369=FLETransactionAbort | 370=CannotDropShardKeyIndex | 372=CloseConnectionForShutdownCommand |
   373=InternalTransactionsExhaustiveFindHasMore | 374=TransactionAPIMustRetryTransaction |
   375=TransactionAPIMustRetryCommit | 377=FLEMaxTagLimitExceeded | 379=DatabaseMetadataRefreshCanceled |
   380=RequestAlreadyFulfilled | 381=ReshardingCoordinatorServiceConflictingOperationInProgress |
   382=RemoteCommandExecutionError | 383=CollectionIsEmptyLocally | 385=ConflictingServerlessOperation |
   387=EncounteredFLEPayloadWhileApplyingHmac | 388=TransactionTooLargeForCache | 393=InvalidTenantId |
   396=IndexInformationTooLarge | 398=StreamTerminated | 404=LDAPRoleAcquisitionError |
   405=CannotCreateChunkDistribution | 409=TimeseriesBucketCompressionFailed | 410=TimeseriesBucketFrozen |
   413=TransactionParticipantFailedUnyield | 417=StreamProcessorWorkerShuttingDown | 426=IndexIsEmpty |
   427=DbCheckSecondaryBatchTimeout | 428=DbCheckAttemptOnClusteredCollectionIdIndex | 429=DbCheckInconsistentHash |
   430=IndexKeyOrderViolation | 431=ChunkMetadataInconsistency | 432=OfflineValidationFailedToComplete |
   434=NoDistinctScansForDistinctEligibleQuery | 435=QueryStatsFailedToRecord | 442=RetryMultiPlanning |
   445=MetadataRefreshCanceledDueToFCVTransition | 446=ClusterUMCErrorWithWriteConcernError | 447=ObjectAlreadyExists |
   452=ReleaseMemoryShardError | 455=ReplayClientNotConnected | 456=ReplayClientFailedToProcessBSON |
   457=ReplayClientInternalError | 458=ReplayClientSessionSchedulerError | 459=ReplayClientSessionSimulationError |
   474=ReshardCollectionQuiescing | 475=ReshardCollectionInterruptedDueToFCVChange | 477=CollectionBecameView |
   479=IFRFlagRetry | 480=UnrecognizedIFRFlag | 482=MaxNumberOfOrPlansExceeded | 483=OpCtxKilledOnMarkKillOpsExempt |
   490=ReplanningRequired | 495=TimeseriesBucketMetadataInconsistent | 496=ReshardingValidationIncompleteData |
   508=SearchIndexManagementHostUnreachable | 514=LightweightStepdownConflict |
   520=DDLCoordinatorMustRetryDueToFCVTransition | 524=CommitPendingNamespaceOrUUID | 28769=NamespaceCannotBeSharded |
   640570=IllegalChangeToExpectedShardVersion | 640571=IllegalChangeToExpectedDatabaseVersion |
   10171600=ReadThroughCacheTimeMonotonicityViolation
b40 48=NamespaceExists | 68=IndexAlreadyExists | 416=StreamProcessorAlreadyExists
b50 484=KeyExists
b60 386=DuplicateKeyId
b60? 256=TransactionCommitted
b75 11000=DuplicateKey
l60 415=StreamProcessorDoesNotExist
l65 280=ChangeStreamFatalError
l70 47=NoMatchingDocument | 136=CappedPositionLost | 346=ChangeStreamInvalidated | 464=ShardRemovedError |
   13113=MergeStageNoMatchingDocument
l75 260=InvalidResumeToken
l90 286=ChangeStreamHistoryLost
p40 517=InvalidExtensionVTable | 518=ExtensionSerializationError | 519=ExtensionError | 9737301=UnsupportedCbrNode |
   9751901=HistogramCEFailure | 9751902=SamplingCEFailure | 9751903=CEFailure
p50 4=NoSuchKey | 5=GraphContainsCycle | 10=CannotMutateObject | 146=ExceededMemoryLimit | 223=IllegalOpMsgFlag |
   233=TooManyDocumentSequences | 349=KeyPatternShorterThanBound | 498=InvalidOpMsgSize |
   499=MultipleOpMsgBodySections | 500=DuplicateOpMsgDocumentSequence | 501=UnknownOpMsgSectionKind |
   502=MissingOpMsgBodySection | 503=DuplicateOpMsgField | 50768=NotARetryableWriteCommand
p55 2=BadValue | 20=IllegalOperation | 170=TooManyMatchingDocuments
p60 139=JSInterpreterFailure | 257=TransactionTooLarge | 291=NoQueryExecutionPlans |
   292=QueryExceededMemoryLimitNoDiskUseAllowed | 10003=CannotGrowDocumentInCappedNamespace
p65 9=FailedToParse | 72=InvalidOptions | 40413=IDLDuplicateField | 40414=IDLFailedToParse | 40415=IDLUnknownField |
   4662500=IDLUnknownFieldPossibleMongocryptd
p75 40=ConflictingUpdateOperators | 66=ImmutableField | 238=NotImplemented | 263=OperationNotSupportedInTransaction
s55 16=InvalidLength | 395=TruncatedSerialization | 466=SchemaRegistryNonRetryableError
s60 12=UnsupportedFormat | 28=PathNotViable | 61=ShardKeyNotFound | 116=DocTooLargeForCapped
s65 15=Overflow | 171=CannotIndexParallelArrays
s70 14=TypeMismatch | 52=DollarPrefixedFieldName | 53=InvalidIdField | 56=EmptyFieldName | 57=DottedFieldName |
   408=CannotInsertTimeseriesBucketsWithMixedSchema
s75 207=InvalidUUID | 472=InvalidBSONColumn | 510=GeoKeyExtractionFailed | 511=GeoKeyExtractionFailedTimeseries |
   523=InvalidBSONFromJavaScript | 10334=BSONObjectTooLarge
s80 241=ConversionFailure
s85 121=DocumentValidationFailure | 357=InvalidBSONType | 378=NonConformantBSON
s90 22=InvalidBSON
t45? 17=ProtocolError
t50 74=NodeNotFound | 211=KeyNotFound | 213=DuplicateSession
t50? 75=WriteConcernLegacyOK | 77=OperationIncomplete | 217=IncompleteTransactionHistory | 225=TransactionTooOld
t55 83=RemoteResultsUnavailable | 90=CallbackCanceled | 200=ChunkRangeCleanupPending | 285=IndexBuildAlreadyInProgress |
   310=PeriodicJobIsStopped | 334=MechanismUnavailable | 1003141=RemoveShardDrainingInProgress
t60 95=NotSecondary | 143=CursorInUse | 187=LinearizableReadConcernError | 194=BalancerInterrupted |
   199=ReplicaSetMonitorRemoved | 205=ClusterTimeFailsRateLimiter | 206=NoSuchSession | 208=TooManyLocks |
   209=StaleClusterTime | 230=DNSHostNotFound | 288=ChecksumMismatch | 46841=ClientMarkedKilled
t65 281=TransactionCoordinatorSteppingDown | 282=TransactionCoordinatorReachedAbortDecision |
   355=InterruptedDueToStorageChange | 11601=Interrupted
t70 43=CursorNotFound | 94=NotYetInitialized | 107=LockFailed | 135=StaleTerm | 172=TransportSessionClosed |
   190=MasterSlaveConnectionFailure | 203=ShardingStateNotInitialized | 215=DatabaseDropPending |
   228=SessionTransferIncomplete | 231=DNSProtocolError | 261=TooManyLogicalSessions | 264=TooManyFilesOpen |
   314=ObjectIsBusy | 371=UserWritesBlocked | 419=StreamProcessorKafkaConnectionError |
   421=StreamProcessorAtlasConnectionError | 422=StreamProcessorAtlasUnauthorizedError |
   436=StreamProcessorHTTPSConnectionError | 440=StreamProcessorExternalFunctionConnectionError |
   443=StreamProcessorBlobStorageRetryableError | 451=StreamProcessorBlobStorageTokenExpired |
   460=StreamProcessorKinesisConnectionError | 463=StreamProcessorKinesisRetryableError |
   465=PlacementHistoryInitializationInProgress | 467=StreamProcessorRetryableIcebergError |
   468=StreamProcessorStartupRetryableError | 470=StreamProcessorAtlasConnectionErrorDuringFirstStart |
   478=StreamProcessorPrivateNetworkingError | 481=StreamProcessorBadChangeStreamPipeline |
   486=StreamProcessorKafkaThrottled | 494=StreamProcessorPubSubConnectionError |
   504=StreamProcessorIcebergRetryableError | 513=StreamProcessorAtlasRetryableUserError |
   521=QueryMemoryLimitExceeded | 522=RetryBackoff
t70? 279=ClientDisconnect
t75 175=QueryPlanKilled | 237=CursorKilled | 251=NoSuchTransaction | 414=AddOrRemoveShardInProgress |
   507=ReplicaSetWritesBlocked | 14031=OutOfDiskSpace
t80 7=HostNotFound | 109=ConfigurationInProgress | 117=ConflictingOperationInProgress |
   290=TransactionExceededLifetimeLimitSeconds | 338=ReshardCollectionInProgress | 469=SchemaRegistryConnectionError |
   12586=BackgroundOperationInProgressForDatabase | 12587=BackgroundOperationInProgressForNamespace
t80? 50=MaxTimeMSExpired
t85 24=LockTimeout | 46=LockBusy | 133=FailedToSatisfyReadPreference | 145=PooledConnectionsDropped |
   149=NoConfigPrimary | 150=StaleEpoch | 239=SnapshotTooOld | 249=StaleDbVersion | 250=StaleChunkHistory |
   267=PreparedTransactionInProgress | 319=MovePrimaryInProgress | 358=InternalTransactionNotSupported |
   402=ResourceExhausted | 406=MigrationBlockingOperationCoordinatorCleaningUp | 412=UpdatesStillPending |
   453=InterruptedDueToReshardingCriticalSection | 471=InterruptedDueToAddShard |
   485=InterruptedDueToTimeseriesUpgradeDowngrade | 488=PrimaryOnlyServiceInitializing | 506=NodeInStepDownPeriod |
   509=TooManyOpenTransactions | 50915=BackupCursorOpenConflictWithCheckpoint | 56846=ConfigServerUnreachable |
   10045600=InterruptedDueToFCVChange
t85? 64=WriteConcernTimeout | 202=NetworkInterfaceExceededTimeLimit
t90 6=HostUnreachable | 134=ReadConcernMajorityNotAvailableYet | 234=RetryChangeStream | 272=MigrationConflict |
   363=RetryableTransactionInProgress | 407=PooledConnectionAcquisitionExceededTimeLimit | 433=AdmissionQueueOverflow |
   450=PooledConnectionAcquisitionRejected | 462=IngressRequestRateLimitExceeded | 473=InterruptedDueToOverload |
   489=SearchRequestRejectedDueToOverload | 512=WriteConflictRetryLimitExceeded | 516=ConnectionEstablishmentTimeout |
   10058=LegacyNotPrimary | 13388=StaleConfig | 91331=RetriableRemoteCommandFailure
t90? 89=NetworkTimeout | 262=ExceededTimeLimit | 317=ConnectionPoolExpired | 384=ConnectionError |
   515=ConnectionClosedByPeer | 9001=SocketException
t95 91=ShutdownInProgress | 216=ElectionInProgress | 246=SnapshotUnavailable | 449=RateLimitExceeded |
   10107=NotWritablePrimary | 13435=NotPrimaryNoSecondaryOk | 13436=NotPrimaryOrSecondary
t95? 189=PrimarySteppedDown | 11600=InterruptedAtShutdown | 11602=InterruptedDueToReplStateChange
t97 112=WriteConflict | 365=TemporarilyUnavailable
u35 31=RoleNotFound | 33=PrivilegeNotFound | 114=InitialSyncOplogSourceMissing | 120=OplogStartMissing |
   128=LockNotFound | 130=SymbolNotFound | 173=TransportSessionNotFound | 177=ZoneNotFound |
   183=ClientMetadataMissingField | 300=RangeDeletionAbandonedBecauseCollectionWithUUIDDoesNotExist |
   307=RangeDeletionAbandonedBecauseTaskDocumentDoesNotExist | 326=OplogQueryMinTsMissing |
   476=ReshardCollectionMissingAbortReason | 487=PlacementHistoryInitializationMissing |
   4938500=IndexNotFoundCachedPlan
u50 62=OplogOperationUnsupported | 69=AuthSchemaIncompatible | 93=InvalidReplicaSetConfig |
   102=IncompatibleAuditMetadata | 103=NewReplicaSetConfigurationIncompatible | 105=IncompatibleShardingMetadata |
   124=IncompatibleElectionProtocol | 144=IncompatibleCatalogManager | 148=ReadConcernMajorityNotEnabled |
   157=CanRepairToDowngrade | 158=MustUpgrade | 161=IncompatibleCollationVersion | 166=CommandNotSupportedOnView |
   167=OptionNotSupportedOnView | 169=CommandOnShardedViewNotSupportedOnMongod | 212=IncompatibleRollbackAlgorithm |
   224=QueryFeatureNotAllowed | 227=CannotImplicitlyCreateCollection | 229=MustDowngrade |
   235=InternalErrorNotSupported | 243=IncompatibleWithUpgradedServer | 252=ReentrancyNotAllowed |
   308=CurrentConfigNotCommittedYet | 332=CannotDowngrade | 344=AuditingNotEnabled |
   345=RuntimeAuditConfigurationNotEnabled | 352=UnsupportedOpQueryCommand | 361=CollectionUUIDMismatch |
   389=LibmongocryptError | 400=CannotUpgrade | 403=UnsupportedShardingEventNotification |
   454=ReplayClientConfigurationError | 491=CommandNotSupportedOnLegacyTimeseriesBucketsNamespace |
   57986=RetryableInternalTransactionNotSupported | 6371402=EncryptedFindAndModifyNewNotSupported
u60 25=RemoteValidationError | 26=NamespaceNotFound | 27=IndexNotFound | 59=CommandNotFound |
   137=IncompatibleShardingConfigVersion | 418=StreamProcessorWorkerOutOfMemory | 420=StreamProcessorInvalidOptions |
   423=StreamProcessorSourceDocTooLarge | 424=StreamProcessorTooManyOutputTargets |
   425=StreamProcessorCannotResumeFromSource | 444=StreamProcessorBlobStorageError |
   448=StreamProcessorInvalidNamespace | 461=StreamProcessorKinesisError |
   492=StreamProcessorPubSubAuthenticationError | 493=StreamProcessorPubSubPermissionDeniedError |
   497=StreamProcessorMergeExpressionError
u65 67=CannotCreateIndex | 70=ShardNotFound | 71=ReplicaSetNotFound | 73=InvalidNamespace | 85=IndexOptionsConflict |
   86=IndexKeySpecsConflict | 141=SSLHandshakeFailed
u70 115=CommandNotSupported | 390=InvalidSignature | 391=ReauthenticationRequired
u75 322=APIVersionError | 323=APIStrictError | 324=APIDeprecationError | 347=APIMismatchError
u75? 100=UnsatisfiableWriteConcern
u80 101=OutdatedClient | 188=IncompatibleServerVersion | 392=InvalidJWT | 411=QueryRejectedBySettings |
   13297=DatabaseDifferCase | 31082=SearchNotEnabled
u85 11=UserNotFound | 76=NoReplicationEnabled | 123=NotAReplicaSet | 301=DataCorruptionDetected
u85? 79=UnknownReplWriteConcern
u90 140=InvalidSSLConfiguration | 214=AuthenticationRestrictionUnmet
u95 13=Unauthorized
u97 18=AuthenticationFailed
# mongodb-label label
t60 NoWritesPerformed=label: nothing written, so repeat is safe | ResetPool=label: pool cleared
t70 HandshakeError=label: failed during connect
t70? InterruptInUseConnections=label: connection killed
t90 ResumableChangeStreamError=label: resume stream | RetryableError=label: overload, back off |
   SystemOverloadedError=label: overload | PoolRequestedRetry=label: pool paused
t95 RetryableWriteError
t95? UnknownTransactionCommitResult
t97 TransientTransactionError=label: run the whole transaction again
`;
