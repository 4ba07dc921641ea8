export { AssayError, type Attempt } from './assay-error.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type * from './generated.ts'
export { type Retries, type WaitFor, waitBefore } from './retries.ts'
