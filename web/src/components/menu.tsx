import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, type ButtonLook } from './controls.tsx'

/** Nearer to the left edge of the window, or of the pane it is in, the list opens to the right, so that none of it is cut off. */
const widest = 240

/** A button that opens a short list of actions; a click elsewhere, Escape or choosing one closes it. */
export function Menu({
  label,
  children,
  look = 'plain',
  name,
  control,
}: {
  label: ReactNode
  children: ReactNode
  look?: ButtonLook
  /** For readers who do not see the label. */
  name?: string | undefined
  /** Where something else opens it too, such as a key. */
  control?: readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] | undefined
}) {
  const own = useState(false)
  const [isOpen, setOpen] = control ?? own
  const isControlled = control !== undefined
  const [side, setSide] = useState('right-0')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    setSide(roomAtLeft(box.current) < widest ? 'left-0' : 'right-0')
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        setOpen(false)
        box.current?.querySelector('button')?.focus()
      } else if (moveFocus(box.current, event.key)) event.preventDefault()
    }
    // A reader who opened it by a key goes on by keys.
    if (box.current?.querySelector('button:focus-visible') || isControlled) entriesOf(box.current)[0]?.focus()
    addEventListener('pointerdown', onPointer)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('pointerdown', onPointer)
      removeEventListener('keydown', onKey)
    }
  }, [isOpen, setOpen, isControlled])
  return (
    <div ref={box} className="relative inline-block">
      <Button look={look} aria-expanded={isOpen} aria-label={name} onClick={() => setOpen(!isOpen)}>
        {label}
      </Button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the entries inside take the keys
        // biome-ignore lint/a11y/noStaticElementInteractions: a choice inside closes the list around it
        <div
          onClick={() => setOpen(false)}
          className={`absolute ${side} z-10 mt-1 min-w-48 rounded-md border border-line bg-panel py-1 shadow-lg`}
        >
          {children}
        </div>
      )}
    </div>
  )
}

/** From the right edge of the button to the left edge of what cuts its list off: the nearest ancestor that scrolls, or the window. */
function roomAtLeft(box: HTMLElement | null): number {
  let pane = box?.parentElement
  while (pane && getComputedStyle(pane).overflowX === 'visible') pane = pane.parentElement
  const edge = pane && pane !== document.body ? pane.getBoundingClientRect().left : 0
  return (box?.getBoundingClientRect().right ?? 0) - Math.max(0, edge)
}

/** The first button opens the list; the others, and the links, are in it. */
const entriesOf = (box: HTMLElement | null): HTMLElement[] =>
  [...(box?.querySelectorAll<HTMLElement>('a,button') ?? [])].slice(1)

/** Arrows go round the entries, Home and End to the first and the last; true where the key was one of them. */
function moveFocus(box: HTMLElement | null, key: string): boolean {
  const entries = entriesOf(box)
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 + entries.length, Home: 0, End: entries.length - 1 }[key]
  if (to === undefined || entries.length === 0) return false
  entries[to % entries.length]?.focus()
  return true
}

export const menuEntryClass =
  'block w-full cursor-pointer px-3 py-2 text-left text-sm hover:bg-sunken focus-visible:bg-sunken'
