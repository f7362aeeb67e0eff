/** Stripe. The notation is explained in read-table.ts. */
export const stripe = `
# stripe-class class
- StripeUnknownError
b90 StripeCardError
p80 StripeIdempotencyError
s60 StripeInvalidRequestError
t60 TemporarySessionExpiredError
t85? StripeAPIError
t93? StripeConnectionError
t97 StripeRateLimitError | RateLimitError
u70 StripeSignatureVerificationError
u75 StripeOAuthError | StripeOAuthInvalidRequestError
u88 StripeInvalidGrantError
u90 StripeInvalidScopeError | StripeUnsupportedGrantTypeError | StripeUnsupportedResponseTypeError
u92 StripeInvalidClientError
u95 StripePermissionError
u96 StripeAuthenticationError
# stripe-type type
b90 card_error=payer or bank said no
p80 idempotency_error=same key with other parameters
s60 invalid_request_error=parameters; or object missing
t60 temporary_session_expired=v2
t85? api_error=stripe side
t93? api_connection_error=network
t97 rate_limit_error=429
u96 authentication_error=api key
# stripe code
- forwarding_api_upstream_error=forwarding; see body
b60 request_blocked=blocked by rule | resource_already_exists=exists; maybe already processed
b68 invalid_cvc=payer input | invalid_expiry_month=payer input | invalid_expiry_year=payer input |
   invalid_number=payer input
b70 approval_required=approval needed | bank_account_exists=already there | incorrect_address=payer input |
   product_inactive=product off | sku_inactive=sku off
b72 incorrect_cvc=payer input | incorrect_number=payer input | incorrect_zip=payer input
b75 account_error_country_change_requires_additional_steps=payment rule or state |
   account_token_required_for_v2_account=payment rule or state | acss_debit_session_incomplete=payment rule or state |
   action_blocked=payment rule or state | amount_too_large=payment rule or state |
   amount_too_small=payment rule or state | anomalous_money_movement_request=payment rule or state |
   balance_insufficient=payment rule or state | bank_account_declined=payment rule or state |
   bank_account_restricted=bank account | bank_account_unusable=payment rule or state |
   bank_account_unverified=payment rule or state | bank_account_verification_failed=payment rule or state |
   capture_unauthorized_payment=payment rule or state | card_decline_rate_limit_exceeded=too many declines on card |
   card_declined=payment rule or state | charge_disputed=payment rule or state |
   charge_exceeds_source_limit=payment rule or state | charge_exceeds_transaction_limit=payment rule or state |
   charge_not_refundable=payment rule or state | coupon_expired=payment rule or state |
   customer_max_payment_methods=payment rule or state | customer_max_subscriptions=payment rule or state |
   debit_not_authorized=payment rule or state | expired_card=payment rule or state |
   financial_account_balance_does_not_support_currency=payment rule or state |
   financial_connections_account_unavailable_account_numbers=payment rule or state |
   financial_connections_no_successful_transaction_refresh=payment rule or state |
   india_recurring_payment_mandate_canceled=payment rule or state |
   instant_payouts_limit_exceeded=payment rule or state | insufficient_funds=payment rule or state |
   intent_invalid_state=state does not allow it | invoice_no_customer_line_items=payment rule or state |
   invoice_no_payment_method_types=payment rule or state | invoice_no_subscription_line_items=payment rule or state |
   invoice_not_editable=payment rule or state | invoice_on_behalf_of_not_editable=payment rule or state |
   invoice_payment_intent_requires_action=payment rule or state | out_of_inventory=payment rule or state |
   payment_intent_authentication_failure=payment rule or state |
   payment_intent_incompatible_payment_method=payment rule or state |
   payment_intent_konbini_rejected_confirmation_number=payment rule or state |
   payment_intent_payment_attempt_failed=payment rule or state |
   payment_intent_unexpected_state=state does not allow it | payment_method_bank_account_already_verified=already done |
   payment_method_bank_account_blocked=payment rule or state |
   payment_method_configuration_failures=payment rule or state | payment_method_customer_decline=payment rule or state |
   payment_method_microdeposit_failed=payment rule or state |
   payment_method_microdeposit_processing_error=payment rule or state |
   payment_method_microdeposit_verification_attempts_exceeded=payment rule or state |
   payment_method_microdeposit_verification_timeout=payment rule or state |
   payment_method_not_available=payment rule or state | payment_method_provider_decline=payment rule or state |
   payment_method_unactivated=payment rule or state | payment_method_unexpected_state=state does not allow it |
   payouts_limit_exceeded=payment rule or state | progressive_onboarding_limit_exceeded=payment rule or state |
   refer_to_customer=payment rule or state | refund_disputed_payment=payment rule or state |
   setup_attempt_failed=payment rule or state | setup_intent_authentication_failure=payment rule or state |
   setup_intent_unexpected_state=state does not allow it | status_transition_invalid=state does not allow it |
   tax_id_prohibited=payment rule or state | token_already_used=already used
b80 account_closed=bank account closed | charge_already_captured=already done
b82 charge_already_refunded=already done | return_intent_already_processed=already done
b85 payment_intent_action_required=payer must act
b88 authentication_required=payer must authenticate
l60 invoice_upcoming_none=nothing upcoming
l65 customer_session_expired=session expired | no_account=bank account not found |
   payment_intent_payment_attempt_expired=attempt expired | setup_intent_setup_attempt_expired=attempt expired
l75 capture_charge_authorization_expired=authorization too old | charge_expired_for_capture=authorization too old
l92 resource_missing=object id unknown
s62 account_country_invalid_address=value refused | account_information_mismatch=value refused |
   account_number_invalid=value refused | balance_invalid_parameter=value refused |
   bank_account_bad_routing_numbers=value refused | billing_invalid_mandate=value refused |
   charge_invalid_parameter=value refused | country_code_invalid=value refused |
   customer_tax_location_invalid=value refused | forwarding_api_invalid_parameter=value refused |
   invalid_card_type=value refused | invalid_charge_amount=value refused |
   invalid_mandate_reference_prefix_format=value refused | invalid_source_usage=value refused |
   invalid_tax_location=value refused | payment_intent_invalid_parameter=value refused |
   payment_intent_mandate_invalid=value refused | payment_method_currency_mismatch=value refused |
   payment_method_invalid_parameter=value refused | payment_method_invalid_parameter_testmode=value refused |
   payment_method_microdeposit_verification_amounts_invalid=value refused |
   payment_method_microdeposit_verification_amounts_mismatch=value refused |
   payment_method_microdeposit_verification_descriptor_code_mismatch=value refused |
   payment_method_unsupported_type=value refused | postal_code_invalid=value refused |
   routing_number_invalid=value refused | setup_intent_invalid_parameter=value refused |
   setup_intent_mandate_invalid=value refused | shipping_address_invalid=value refused | siret_invalid=value refused |
   tax_id_invalid=value refused | terminal_reader_invalid_location_for_activation=value refused |
   terminal_reader_invalid_location_for_payment=value refused | token_card_network_invalid=value refused |
   transfer_source_balance_parameters_mismatch=value refused
s85 email_invalid=parameter refused | invalid_characters=parameter refused | missing=parameter refused |
   parameter_invalid_empty=parameter refused | parameter_invalid_integer=parameter refused |
   parameter_invalid_string_blank=parameter refused | parameter_invalid_string_empty=parameter refused |
   parameter_missing=parameter refused | parameter_unknown=parameter refused | parameters_exclusive=parameter refused |
   url_invalid=parameter refused
t50 failed_tax_calculation=calculation failed | shipping_calculation_failed=calculation failed |
   taxes_calculation_failed=calculation failed
t70? processing_error=card network hiccup
t75 financial_connections_account_pending_account_numbers=not ready yet | token_in_use=token in use
t80 terminal_reader_offline=reader offline
t80? terminal_reader_timeout=reader silent
t82? payment_method_provider_timeout=provider slow
t85 payout_reconciliation_not_ready=not ready yet | terminal_reader_busy=reader busy
t88? forwarding_api_retryable_upstream_error=forwarding | forwarding_api_upstream_connection_error=forwarding |
   forwarding_api_upstream_connection_timeout=forwarding
t90 payment_intent_rate_limit_exceeded=intent throttled
t93? idempotency_key_in_use=same key still running
t95 lock_timeout=object locked by other request
t97 rate_limit=slow down
u55 alipay_upgrade_required=account or product setup | application_fees_not_allowed=account or product setup |
   bitcoin_upgrade_required=account or product setup | cardholder_phone_number_required=account or product setup |
   clearing_code_unsupported=account or product setup | country_unsupported=account or product setup |
   financial_account_capability_not_enabled=account or product setup |
   financial_account_capability_restricted=account or product setup |
   financial_connections_account_inactive=account or product setup |
   instant_payouts_config_disabled=account or product setup |
   instant_payouts_currency_disabled=account or product setup | instant_payouts_unsupported=account or product setup |
   intent_verification_method_missing=account or product setup |
   ownership_declaration_not_allowed=account or product setup |
   payment_method_billing_details_address_missing=account or product setup |
   payouts_not_allowed=account or product setup | sepa_unsupported_account=account or product setup |
   service_period_coupon_with_metered_tiered_item_unsupported=account or product setup |
   setup_intent_mobile_wallet_unsupported=account or product setup | state_unsupported=account or product setup |
   storer_capability_missing=account or product setup | storer_capability_not_active=account or product setup |
   stripe_tax_inactive=account or product setup | terminal_location_country_unsupported=account or product setup |
   transfers_not_allowed=account or product setup
u60 terminal_reader_hardware_fault=reader broken
u75 account_invalid=connected account
u80 forwarding_api_inactive=forwarding off | not_allowed_on_standard_account=account setup
u85 platform_account_required=account setup | testmode_charges_only=account not live
u88 livemode_mismatch=test and live mixed
u90 tls_version_unsupported=tls
u93 secret_key_required=key kind
u95 api_key_expired=key | platform_api_key_expired=key
# stripe-decline code
b70 no_action_taken=issuer decline
b75 new_account_information_available=issuer decline | security_violation=issuer decline |
   service_not_allowed=issuer decline
b80 call_issuer=issuer decline | card_velocity_exceeded=card limit | do_not_honor=issuer decline |
   generic_decline=issuer decline | invalid_account=issuer decline | not_permitted=issuer decline
b85 authentication_required=payer must authenticate | card_not_supported=issuer decline |
   currency_not_supported=issuer decline | duplicate_transaction | transaction_not_allowed=issuer decline |
   withdrawal_count_limit_exceeded=issuer decline
b88 restricted_card=issuer decline | revocation_of_all_authorizations=issuer decline
b90 merchant_blacklist=issuer decline | stop_payment_order=issuer decline
b92 do_not_try_again=issuer decline | expired_card=issuer decline | fraudulent=issuer decline |
   pickup_card=issuer decline
b95 insufficient_funds=retry days later | lost_card=issuer decline | stolen_card=issuer decline
s65 invalid_amount=issuer decline
s70 incorrect_cvc=issuer decline
t60 approve_with_id=try again once
t70? processing_error=issuer decline
t82 reenter_transaction=issuer decline
t88 issuer_not_available=issuer unreachable
t90 try_again_later=issuer decline
u85 testmode_decline=test card in live mode
`;
