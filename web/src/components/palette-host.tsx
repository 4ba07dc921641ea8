import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import { paletteHost as texts } from '../messages/components.ts'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import type { Me } from './guarded.tsx'
import { useLaterPart } from './later-part.tsx'
import { onPaletteOpen, openPalette, type PaletteEntry, usePaletteEntries } from './palette-entries.ts'
import { Failure } from './surfaces.tsx'

/** Loaded when it is opened for the first time. */
const loadPalette = async () => (await import('./palette.tsx')).Palette

/** The palette, opened by its button or Ctrl+K, with what every page has: the pages, projects and detectors. */
export function PaletteHost({ me, pages }: { me: Me | null; pages: readonly (readonly [string, string])[] }) {
  const [opened, setOpened] = useState<{ given: readonly PaletteEntry[] | undefined } | null>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', onKey)
    const forget = onPaletteOpen((given) => setOpened({ given }))
    return () => {
      forget()
      removeEventListener('keydown', onKey)
    }
  }, [])
  useGlobalEntries(me, pages)
  const { data: Palette, error, refetch } = useLaterPart('palette', loadPalette, opened !== null)
  const close = () => setOpened(null)
  return (
    <>
      <Button
        look="quiet"
        className="max-[400px]:hidden"
        aria-label={texts.goTo}
        title={texts.goToKey}
        onClick={() => openPalette()}
      >
        <Search size={16} aria-hidden="true" />
      </Button>
      {opened && Palette && <Palette given={opened.given} onClose={close} />}
      {opened && !Palette && error && (
        <Dialog title={texts.goTo} open onClose={close}>
          <Failure error={error} retry={() => refetch()} />
        </Dialog>
      )}
    </>
  )
}

function useGlobalEntries(me: Me | null, pages: readonly (readonly [string, string])[]): void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  usePaletteEntries(async () =>
    pages.map(([to, label]) => ({ kind: texts.page, label, run: () => void navigate({ to }) })),
  )
  usePaletteEntries(async () => {
    if (!me) return []
    const { data } = await queries.fetchQuery({
      queryKey: ['projects'],
      queryFn: () => call('GET /api/v1/projects', {}),
    })
    return data.projects.map(({ id, name }) => ({
      kind: texts.project,
      label: name,
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    }))
  })
  usePaletteEntries(async () => {
    const { data } = await queries.fetchQuery({
      queryKey: ['detectors'],
      queryFn: () => call('GET /api/v1/detectors', {}),
      staleTime: 600_000,
    })
    return data.detectors.map(({ id, title, aliases }) => ({
      kind: texts.detector,
      label: title,
      detail: aliases.join(', '),
      run: () => void navigate({ to: '/detectors/$detectorId', params: { detectorId: id } }),
    }))
  })
}
