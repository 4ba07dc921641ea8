import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, type ResponseOf } from './client.ts'

export type DetectorEntry = ResponseOf<'GET /api/v1/detectors'>['data']['detectors'][number]

/** The catalogue; it changes with the service's version alone. */
export function useDetectors(enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['detectors'],
    queryFn: () => call('GET /api/v1/detectors', {}),
    staleTime: 600_000,
  })
}

/** By the id of a detector: how other tools, catalogs and people call what it finds. Loaded when someone searches. */
export function useAliases(isWanted: boolean): ReadonlyMap<string, readonly string[]> {
  const { data } = useDetectors(isWanted)
  return useMemo(() => new Map(data?.data.detectors.map(({ id, aliases }) => [id, aliases])), [data])
}
