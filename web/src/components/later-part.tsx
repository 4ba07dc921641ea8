import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { laterPart as texts } from '../messages/components.ts'
import { Loading } from './loading.tsx'
import { Failure } from './surfaces.tsx'

/** A part of the application that few readers of a page open: it is loaded when it is. */
export const useLaterPart = <P,>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  enabled = true,
): UseQueryResult<ComponentType<P>> =>
  useQuery({
    queryKey: ['part', name],
    queryFn: () =>
      load().catch(() => {
        throw new Error(texts.notLoaded)
      }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** If it does not come, its place says so and offers another try: the page around it stays. */
export function LaterPart<P extends object>({
  name,
  load,
  props,
  pending = <Loading />,
}: {
  name: string
  load: () => Promise<ComponentType<P>>
  props: P
  pending?: ReactNode
}) {
  const part = useLaterPart(name, load)
  if (part.isError) return <Failure error={part.error} retry={() => part.refetch()} />
  const Part = part.data
  return Part ? <Part {...props} /> : pending
}
