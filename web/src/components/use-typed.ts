import { useEffect, useRef, useState } from 'react'

/**
 * The text of a field that the address carries. It is shown at once: the address follows a moment later, and a field that waits for it moves
 * its caret to the end. A text that comes from elsewhere (a link, a button, back) replaces what is typed.
 */
export function useTyped(
  value: string,
  onChange: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(value)
  const typed = useRef(new Set<string>())
  const shown = useRef(value)
  shown.current = text
  useEffect(() => {
    if (value === shown.current) typed.current.clear()
    else if (!typed.current.has(value)) setText(value)
  }, [value])
  const type = (next: string) => {
    typed.current.add(next)
    setText(next)
    onChange(next)
  }
  return [text, type]
}
