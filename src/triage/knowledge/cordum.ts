/** Cordum's reasons for giving a job up. The notation is explained in read-table.ts. */
export const cordum = `
# cordum reason
- max_retries_exceeded=retries used up; the cause is in the job
t80 no_workers=no worker was there to take it
t85 pool_overloaded=the pool had too much to do
u80 no_pool_mapping=topic without a pool: a setting
u85 safety_denied=a policy denied it
`;
