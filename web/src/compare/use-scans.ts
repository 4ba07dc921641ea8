import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useScans as texts } from '../messages/compare.ts'

/** The newest scans, of which two can be compared. */
export function useRecentScans() {
  return useQuery({
    queryKey: ['scans', 'recent'],
    queryFn: () => call('GET /api/v1/scans', { query: { limit: 100, status: 'completed' } }),
  })
}

/** A scan with a result. */
export function useScan(scanId: string | undefined) {
  return useQuery({
    queryKey: ['scan', scanId],
    queryFn: async () => {
      const { data } = await call('GET /api/v1/scans/{scanId}', { params: { scanId: scanId ?? '' } })
      if (data.status !== 'completed') throw new Error(texts.hasNoResultCompare(data.fileName))
      return { data }
    },
    enabled: scanId !== undefined,
  })
}
