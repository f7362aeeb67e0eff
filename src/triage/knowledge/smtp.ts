/** SMTP replies. The notation is explained in read-table.ts. */
export const smtp = `
# smtp code
b50 5.0.0=permanent, other | 5.2.0=mailbox, other | 5.7.0=security, other
b55 552=storage exceeded | 554=transaction failed | 5.7.1=not authorized
b65 551=user not local | 5.2.2=mailbox full
b70 541=rejected as spam | 550=mailbox unavailable
b80 556=domain takes no mail | 5.1.10=null mx
l75 5.1.6=mailbox moved | 5.2.1=mailbox disabled
l80 5.1.1=mailbox does not exist
p50 5.5.0=protocol, other
p60 555=parameters not recognized
p65 502=command not implemented | 504=parameter not implemented | 5.5.2=command syntax
p70 500=syntax error | 503=bad sequence
s60 5.1.0=address, other | 5.6.0=media, other
s65 501=argument syntax | 5.1.2=destination system unknown
s70 553=mailbox name refused | 5.2.3=message too long
s75 5.3.4=message too big
s88 5.1.3=address syntax
t50 5.4.1=no answer from host
t60 4.4.7=delivery time expired
t70 455=parameters not now | 4.2.1=mailbox disabled, temporary | 5.7.28=mail flood
t75 4.2.2=mailbox full, temporary | 4.7.0=security, temporary | 4.7.1=delivery not authorized, temporary
t85 454=temporary auth failure
t90 450=mailbox busy | 451=local error | 452=insufficient storage | 4.3.1=system full
t93 4.3.2=system not accepting | 4.4.1=no answer from host
t93? 4.4.2=bad connection
t95 421=service not available
u60 5.4.4=unable to route
u70 521=no mail accepted
u75 5.7.27=sender null mx
u80 432=password transition needed | 523=encryption needed | 5.7.23=spf failed | 5.7.25=reverse dns failed |
   5.7.26=multiple auth checks failed
u90 534=auth mechanism too weak | 538=encryption required | 5.7.9=auth mechanism too weak
u93 530=auth required
u96 535=auth failed | 5.7.8=auth credentials invalid
`;
