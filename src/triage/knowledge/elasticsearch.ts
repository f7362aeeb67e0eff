/** Elasticsearch. The notation is explained in read-table.ts. */
export const elasticsearch = `
# elasticsearch code
- search_phase_execution_exception
b45 resource_already_exists_exception
b60 version_conflict_engine_exception=concurrent update or already created
l60 resource_not_found_exception
l92 document_missing_exception=document missing
p60 parse_exception | invalid_alias_name_exception
p65 action_request_validation_exception=request incomplete | invalid_index_name_exception
p70 query_shard_exception=query does not fit mapping | too_many_clauses
p72 script_exception=script failed
p75 parsing_exception=query dsl
s50 illegal_argument_exception=argument or field type; read reason
s65 routing_missing_exception
s70 x_content_parse_exception=body malformed
s75 max_bytes_length_exceeded_exception=term too long
s85 json_e_o_f_exception=body cut | input_coercion_exception=number out of range
s88 json_parse_exception=body not json | date_time_parse_exception | number_format_exception
s92 strict_dynamic_mapping_exception=unknown field in strict mapping
s93 mapper_parsing_exception=field does not fit mapping | document_parsing_exception=field does not fit mapping
t55? task_cancelled_exception
t60 shard_not_found_exception
t65 cluster_block_exception=read-only block; disk watermark
t80 snapshot_in_progress_exception | index_shard_closed_exception
t85 primary_missing_action_exception | retry_on_replica_exception | retry_on_primary_exception
t88 index_shard_not_started_exception
t88? process_cluster_event_timeout_exception | timeout_exception
t90 circuit_breaking_exception=memory breaker (429) | no_shard_available_action_exception | node_closed_exception
t90? receive_timeout_transport_exception
t92 not_master_exception | node_not_connected_exception | unavailable_shards_exception | connect_transport_exception
t93 no_node_available_exception
t95 master_not_discovered_exception | cluster_manager_not_discovered_exception=opensearch
t96 es_rejected_execution_exception=queue full (429) | rejected_execution_exception=opensearch
u75 index_closed_exception | alias_not_found_exception | index_template_missing_exception
u78 index_not_found_exception=index missing
u90 authorization_exception
u93 security_exception
# elasticsearch class
- ResponseError
p70 SerializationError
t50 DeserializationError
t50? RequestAbortedError
t90? TimeoutError
t93 NoLivingConnectionsError
t93? ConnectionError
u85 ConfigurationError | ProductNotSupportedError
`;
