import { type FormHTMLAttributes, useLayoutEffect, useRef, useState } from 'react'
import { type RefusedField, RefusedFieldContext, refusedField } from './refused-field.ts'

/** A form that shows a refusal at the field it is about, and puts the cursor there. `Failure` shows the others. */
export function Form({ error, ...rest }: FormHTMLAttributes<HTMLFormElement> & { error: unknown }) {
  const form = useRef<HTMLFormElement>(null)
  const [refused, setRefused] = useState<(RefusedField & { error: unknown }) | null>(null)
  useLayoutEffect(() => {
    const found = refusedField(error)
    const input = found && form.current?.elements.namedItem(found.field)
    if (input instanceof HTMLInputElement) input.focus()
    setRefused(found && input ? { ...found, error } : null)
  }, [error])
  return (
    <RefusedFieldContext value={refused}>
      <form ref={form} {...rest} />
    </RefusedFieldContext>
  )
}
