import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useState } from 'react'

const narrowest = 240
const widest = 720
const step = 24

interface Pane {
  width: number
  /** Positive: wider. */
  widen: (by: number) => void
}

const usual = { list: 352, side: 416 }
const kept = 'assay-panes'

/** The widths of the list and of the explanation, kept in this browser; the code has the rest. */
export function usePaneWidths(bench: RefObject<HTMLElement | null>): { list: Pane; side: Pane } {
  const [widths, setWidths] = useState(readWidths)
  useLayoutEffect(() => {
    for (const [name, width] of Object.entries(widths)) bench.current?.style.setProperty(`--${name}`, `${width}px`)
  }, [bench, widths])
  const paneOf = (name: keyof typeof usual): Pane => ({
    width: widths[name],
    widen: (by) =>
      setWidths((now) => {
        const next = { ...now, [name]: inRange(now[name] + by) }
        localStorage.setItem(kept, JSON.stringify(next))
        return next
      }),
  })
  return { list: paneOf('list'), side: paneOf('side') }
}

const inRange = (width: number): number => Math.min(Math.max(Math.round(width), narrowest), widest)

function readWidths(): typeof usual {
  try {
    const { list, side } = JSON.parse(localStorage.getItem(kept) ?? '{}')
    return { list: inRange(Number(list ?? usual.list)), side: inRange(Number(side ?? usual.side)) }
  } catch {
    return usual
  }
}

/** The border between two panes: drag it, or move it by the arrow keys. */
export function PaneBorder({ label, area, pane }: { label: string; area: 'left' | 'right'; pane: Pane }) {
  // The explanation is right of its border: it grows when the border goes left.
  const sign = area === 'left' ? 1 : -1
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    const border = event.currentTarget
    border.setPointerCapture(event.pointerId)
    let from = event.clientX
    const onMove = ({ clientX }: globalThis.PointerEvent) => {
      pane.widen(sign * (clientX - from))
      from = clientX
    }
    border.addEventListener('pointermove', onMove)
    border.addEventListener('lostpointercapture', () => border.removeEventListener('pointermove', onMove), {
      once: true,
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (by === undefined) return
    event.preventDefault()
    pane.widen(sign * by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule does not take the focus, a border between panes does
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={pane.width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      className={`pane-border pane-border-${area}`}
    />
  )
}
