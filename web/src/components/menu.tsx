import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, type ButtonLook } from './controls.tsx'

/** Nearer to the left edge of the window the list opens to the right, so that none of it is cut off. */
const widest = 240

/** A button that opens a short list of actions; a click elsewhere, Escape or choosing one closes it. */
export function Menu({
  label,
  children,
  look = 'plain',
  name,
}: {
  label: ReactNode
  children: ReactNode
  look?: ButtonLook
  /** For readers who do not see the label. */
  name?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const [side, setSide] = useState('right-0')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    addEventListener('pointerdown', onPointer)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('pointerdown', onPointer)
      removeEventListener('keydown', onKey)
    }
  }, [isOpen])
  const toggle = () => {
    const right = box.current?.getBoundingClientRect().right ?? 0
    setSide(right < widest ? 'left-0' : 'right-0')
    setOpen(!isOpen)
  }
  return (
    <div ref={box} className="relative inline-block">
      <Button look={look} aria-expanded={isOpen} aria-label={name} onClick={toggle}>
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

export const menuEntryClass =
  'block w-full cursor-pointer px-3 py-2 text-left text-sm hover:bg-sunken focus-visible:bg-sunken'
