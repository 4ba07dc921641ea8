export const idempotencyHeader = {
  'Idempotency-Key':
    'Optional. A repeated request with the same key and content gets the first answer again, for 24 hours.',
} as const
