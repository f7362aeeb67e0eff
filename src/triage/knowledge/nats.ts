/** NATS and JetStream. The notation is explained in read-table.ts. */
export const nats = `
# nats code
- 10062=JSStreamRestoreErrF
b40 10013=JSConsumerNameExistErr
b45 10148=JSConsumerAlreadyExists
b50 10111=JSStreamRollupFailedF
b60 10053=JSStreamLimitsErrF | 10201=JSAtomicPublishContainsDuplicateMessageErr
b60? 10071=JSStreamWrongLastSequenceErrF | 10070=JSStreamWrongLastMsgIDErrF |
   10164=JSStreamWrongLastSequenceConstantErr
b65 10109=JSStreamSealedErr
b70? 10158=JSStreamDuplicateMessageConflict
l60 10208=JSBatchPublishUnknownBatchIDErr
l80 10043=JSSequenceNotFoundErrF
l85 10037=JSNoMessageFoundErr
p50 10172=JSMessageCounterBrokenErr
p55 10200=JSAtomicPublishInvalidBatchCommitErr
p60 10175=JSAtomicPublishMissingSeqErr | 10177=JSAtomicPublishUnsupportedHeaderBatchErr |
   10179=JSAtomicPublishInvalidBatchIDErr | 10193=JSStreamExpectedLastSeqPerSubjectInvalid |
   10206=JSBatchPublishInvalidPatternErr | 10207=JSBatchPublishInvalidBatchIDErr |
   10227=JSMessageSourceHdrNotAllowedErr
p65 10003=JSBadRequestErr
s55 10199=JSAtomicPublishTooLargeBatchErrF
s65 10054=JSStreamMessageExceedsMaximumErr | 10097=JSStreamHeaderExceedsMaximumErr | 10165=JSMessageTTLInvalidErr |
   10169=JSMessageIncrMissingErr | 10170=JSMessageIncrPayloadErr
s70 10171=JSMessageIncrInvalidErr
s80 10025=JSInvalidJSONErr
t45 10067=JSStreamTemplateDeleteErrF | 10048=JSStreamAssignmentErrF | 10066=JSStreamTemplateCreateErrF |
   10042=JSRestoreSubscribeFailedErrF | 10050=JSStreamDeleteErrF | 10012=JSConsumerCreateErrF |
   10064=JSStreamSnapshotErrF | 10069=JSStreamUpdateErrF | 10049=JSStreamCreateErrF | 10051=JSStreamGeneralErrorF |
   10096=JSStreamInvalidErr | 10117=JSStreamInfoMaxSubjectsErr
t50 10057=JSStreamMsgDeleteFailedF
t50? 10176=JSAtomicPublishIncompleteBatchErr
t55 10002=JSAccountResourcesExceededErr | 10063=JSStreamSequenceNotMatchErr | 10110=JSStreamPurgeFailedF |
   10180=JSStreamMinLastSeqErr
t60 10005=JSClusterNoPeersErrF | 10072=JSTempStorageFailedErr | 10029=JSMirrorConsumerSetupFailedErrF |
   10045=JSSourceConsumerSetupFailedErrF | 10104=JSConsumerStoreFailedErrF
t70 10047=JSStorageResourcesExceededErr | 10007=JSClusterNotAssignedErr | 10028=JSMemoryResourcesExceededErr |
   10075=JSPeerRemapErr
t70? 10077=JSStreamStoreFailedF
t75 10004=JSClusterIncompleteErr | 10041=JSRaftGeneralErrF | 10124=JSStreamMoveInProgressErr |
   10194=JSStreamOfflineReasonErrF | 10195=JSConsumerOfflineReasonErrF | 10202=JSClusterServerMemberChangeInflightErr |
   10226=JSStreamReconfigureInProgressErr
t85 10023=JSInsufficientResourcesErr | 10118=JSStreamOfflineErr | 10119=JSConsumerOfflineErr
t90 10009=JSClusterNotLeaderErr | 10163=JSStreamExpectedLastSeqPerSubjectNotReady
t95 10210=JSAtomicPublishTooManyInflight | 10211=JSBatchPublishTooManyInflight
t97 10008=JSClusterNotAvailErr | 10167=JSStreamTooManyRequests
u60 10068=JSStreamTemplateNotFoundErr | 10149=JSConsumerDoesNotExist
u65 10014=JSConsumerNotFoundErr | 10058=JSStreamNameExistErr
u70 10040=JSClusterPeerNotMemberErr | 10019=JSConsumerEphemeralWithDurableInSubjectErr |
   10022=JSStreamExternalDelPrefixOverlapsErrF | 10065=JSStreamSubjectOverlapErr |
   10073=JSTemplateNameNotMatchSubjectErr | 10020=JSConsumerEphemeralWithDurableNameErr |
   10030=JSMirrorMaxMessageSizeTooBigErr | 10046=JSSourceMaxMessageSizeTooBigErr |
   10024=JSStreamInvalidExternalDeliverySubjErrF | 10021=JSStreamExternalApiOverlapErrF |
   10034=JSMirrorWithSubjectsErr | 10143=JSMirrorWithFirstSeqErr | 10055=JSStreamMirrorNotUpdatableErr |
   10056=JSStreamMismatchErr | 10060=JSStreamNotMatchErr | 10038=JSNotEmptyRequestErr | 10011=JSClusterTagsErr |
   10016=JSConsumerDurableNameNotInSubjectErr | 10061=JSStreamReplicasNotUpdatableErr | 10031=JSMirrorWithSourcesErr |
   10018=JSConsumerDurableNameNotSetErr | 10032=JSMirrorWithStartSeqAndTimeErr |
   10017=JSConsumerDurableNameNotMatchSubjectErr | 10033=JSMirrorWithSubjectFiltersErr |
   10044=JSClusterServerNotMemberErr | 10015=JSSnapshotDeliverSubjectInvalidErr | 10078=JSConsumerConfigRequiredErr |
   10079=JSConsumerDeliverToWildcardsErr | 10080=JSConsumerPushMaxWaitingErr | 10081=JSConsumerDeliverCycleErr |
   10082=JSConsumerMaxPendingAckPolicyRequiredErr | 10083=JSConsumerSmallHeartbeatErr |
   10084=JSConsumerPullRequiresAckErr | 10085=JSConsumerPullNotDurableErr | 10086=JSConsumerPullWithRateLimitErr |
   10087=JSConsumerMaxWaitingNegativeErr | 10088=JSConsumerHBRequiresPushErr | 10089=JSConsumerFCRequiresPushErr |
   10090=JSConsumerDirectRequiresPushErr | 10091=JSConsumerDirectRequiresEphemeralErr | 10092=JSConsumerOnMappedErr |
   10093=JSConsumerFilterNotSubsetErr | 10094=JSConsumerInvalidPolicyErrF | 10095=JSConsumerInvalidSamplingErrF |
   10098=JSConsumerWQRequiresExplicitAckErr | 10099=JSConsumerWQMultipleUnfilteredErr |
   10100=JSConsumerWQConsumerNotUniqueErr | 10101=JSConsumerWQConsumerNotDeliverAllErr |
   10102=JSConsumerNameTooLongErrF | 10103=JSConsumerBadDurableNameErr | 10105=JSConsumerExistingActiveErr |
   10106=JSConsumerReplacementWithDifferentNameErr | 10107=JSConsumerDescriptionTooLongErrF |
   10108=JSConsumerWithFlowControlNeedsHeartbeats | 10112=JSConsumerInvalidDeliverSubject |
   10113=JSStreamMaxBytesRequired | 10114=JSConsumerMaxRequestBatchNegativeErr |
   10115=JSConsumerMaxRequestExpiresTooSmall | 10116=JSConsumerMaxDeliverBackoffErr |
   10121=JSConsumerMaxPendingAckExcessErrF | 10122=JSStreamMaxStreamBytesExceeded | 10123=JSStreamMoveAndScaleErr |
   10125=JSConsumerMaxRequestBatchExceededF | 10126=JSConsumerReplicasExceedsStream |
   10127=JSConsumerNameContainsPathSeparatorsErr | 10128=JSStreamNameContainsPathSeparatorsErr |
   10129=JSStreamReconfigureNotInProgressErr | 10130=JSStreamNameExistRestoreFailedErr |
   10131=JSConsumerCreateFilterSubjectMismatchErr | 10132=JSConsumerCreateDurableAndNameMismatch |
   10133=JSReplicasCountCannotBeNegative | 10134=JSConsumerReplicasShouldMatchStream |
   10135=JSConsumerMetadataLengthErrF | 10136=JSConsumerDuplicateFilterSubjects |
   10137=JSConsumerMultipleFiltersNotAllowed | 10138=JSConsumerOverlappingSubjectFilters | 10139=JSConsumerEmptyFilter |
   10140=JSSourceDuplicateDetected | 10141=JSSourceInvalidStreamName | 10142=JSMirrorInvalidStreamName |
   10144=JSSourceMultipleFiltersNotAllowed | 10145=JSSourceInvalidSubjectFilter |
   10146=JSSourceInvalidTransformDestination | 10147=JSSourceOverlappingSubjectFilters |
   10150=JSMirrorMultipleFiltersNotAllowed | 10151=JSMirrorInvalidSubjectFilter |
   10152=JSMirrorOverlappingSubjectFilters | 10153=JSConsumerInactiveThresholdExcess |
   10154=JSMirrorInvalidTransformDestination | 10155=JSStreamTransformInvalidSource |
   10156=JSStreamTransformInvalidDestination | 10157=JSPedanticErrF | 10159=JSConsumerPriorityPolicyWithoutGroup |
   10160=JSConsumerInvalidPriorityGroupErr | 10161=JSConsumerEmptyGroupName | 10162=JSConsumerInvalidGroupNameErr |
   10173=JSMirrorWithCountersErr | 10178=JSConsumerPushWithPriorityGroupErr | 10181=JSConsumerAckPolicyInvalidErr |
   10182=JSConsumerReplayPolicyInvalidErr | 10183=JSConsumerAckWaitNegativeErr | 10184=JSConsumerBackOffNegativeErr |
   10186=JSMirrorWithMsgSchedulesErr | 10187=JSSourceWithMsgSchedulesErr | 10188=JSMessageSchedulesDisabledErr |
   10189=JSMessageSchedulesPatternInvalidErr | 10190=JSMessageSchedulesTargetInvalidErr |
   10191=JSMessageSchedulesTTLInvalidErr | 10192=JSMessageSchedulesRollupInvalidErr |
   10196=JSConsumerPriorityGroupWithPolicyNone | 10197=JSConsumerPinnedTTLWithoutPriorityPolicyNone |
   10198=JSMirrorWithAtomicPublishErr | 10203=JSMessageSchedulesSourceInvalidErr | 10204=JSConsumerInvalidResetErr |
   10205=JSBatchPublishDisabledErr | 10209=JSMirrorWithBatchPublishErr | 10212=JSMessageSchedulesSchedulerInvalidErr |
   10213=JSMirrorDurableConsumerCfgInvalid | 10214=JSMirrorConsumerRequiresAckFCErr |
   10215=JSSourceDurableConsumerCfgInvalid | 10216=JSSourceDurableConsumerDuplicateDetected |
   10217=JSSourceConsumerRequiresAckFCErr | 10218=JSConsumerAckFCRequiresPushErr | 10219=JSConsumerAckFCRequiresFCErr |
   10220=JSConsumerAckFCRequiresMaxAckPendingErr | 10221=JSConsumerAckFCRequiresNoAckWaitErr |
   10222=JSConsumerAckFCRequiresNoMaxDeliverErr | 10223=JSMessageSchedulesTimeZoneInvalidErr |
   10224=JSClusterRescueErr | 10225=JSConsumerStreamIdentityMismatchF
u75 10036=JSClusterUnSupportFeatureErr | 10026=JSMaximumConsumersLimitErr | 10059=JSStreamNotFoundErr |
   10010=JSClusterRequiredErr | 10027=JSMaximumStreamsLimitErr | 10006=JSClusterNotActiveErr | 10120=JSNoLimitsErr |
   10166=JSMessageTTLDisabledErr | 10168=JSMessageIncrDisabledErr | 10174=JSAtomicPublishDisabledErr |
   10185=JSRequiredApiLevelErr
u80 10052=JSStreamInvalidConfigF | 10074=JSStreamReplicasNotSupportedErr
u85 10035=JSNoAccountErr
u90 10076=JSNotEnabledErr | 10039=JSNotEnabledForAccountErr
# nats-client message
p60 Unknown Protocol Operation
p65 Invalid Subject
s75 Maximum Payload Violation
t70 Slow Consumer | no responders
t70? nats: no response from stream
t80 Maximum Account Active Connections Exceeded
t85 Maximum Connections Exceeded
t85? nats: timeout | nats: connection closed
t90 Connection Throttling
t95 nats: no servers available for connection
t95? Stale Connection | Server Shutdown
u70 Invalid Client Protocol
u75 Maximum Subscriptions Exceeded
u85 User Authentication Expired
u90 Account Authentication Expired | Secure Connection - TLS Required
u95 Authorization Violation | User Authentication Revoked | Permissions Violation
# nats-client class
- JetStreamApiError | JetStreamStatusError
p50 ProtocolError
p60 Parser Error | InvalidOperationError
p65 InvalidSubjectError | InvalidArgumentError
t70 NoRespondersError | DrainingConnectionError
t80 ConnectionError
t85? TimeoutError | ClosedConnectionError
u65 ConsumerNotFoundError
u75 StreamNotFoundError
u85 UserAuthenticationExpiredError
u95 AuthorizationError | PermissionViolationError
`;
