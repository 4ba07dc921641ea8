import { useQuery } from '@tanstack/react-query'
import { call, type ResponseOf } from './client.ts'

export type DetectorEntry = ResponseOf<'GET /api/v1/detectors'>['data']['detectors'][number]

/** The catalogue; it changes with the service's version alone. */
export function useDetectors() {
  return useQuery({
    queryKey: ['detectors'],
    queryFn: () => call('GET /api/v1/detectors', {}),
    staleTime: 600_000,
  })
}
