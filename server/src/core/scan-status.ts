/** How far a scan got. The last three are final. */
export const scanStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type ScanStatus = (typeof scanStatuses)[number]

export const isFinal = (status: ScanStatus): boolean => status !== 'queued' && status !== 'running'
