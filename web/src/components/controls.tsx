import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react'
import { useContext, useId } from 'react'
import { RefusedFieldContext } from './refused-field.ts'

const buttonLook = {
  primary: 'bg-accent text-accent-ink border-transparent hover:brightness-110',
  plain: 'bg-panel text-ink border-line hover:bg-sunken',
  danger: 'bg-panel text-critical border-line hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
} as const

export type ButtonLook = keyof typeof buttonLook

const buttonShape =
  'inline-flex items-center justify-center gap-2 rounded-md border px-3 py-1.5 text-sm font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-60 cursor-pointer min-h-9'

export const buttonClass = (look: ButtonLook = 'plain') => `${buttonShape} ${buttonLook[look]}`

export function Button({
  look = 'plain',
  busy = false,
  children,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonLook; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`${buttonClass(look)} ${className}`}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}

const inputClass =
  'w-full rounded-md border border-field bg-panel px-3 py-1.5 text-sm text-ink placeholder:text-soft min-h-9'

interface Labelled {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

export function Field({
  label,
  hint,
  error: ownError,
  className = '',
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  const refused = useContext(RefusedFieldContext)
  const error = ownError ?? (refused && refused.field === rest.name ? `${label} ${refused.rule}` : undefined)
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        // What was typed into one field is never shown in the one that takes its place: it may be a password.
        key={`${rest.type} ${rest.name}`}
        id={id}
        {...rest}
        // React keeps `autoFocus` to itself; a dialog looks for this one when it opens.
        data-first={rest.autoFocus}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        className={inputClass}
      />
      <p
        id={`${id}-note`}
        role={error ? 'alert' : undefined}
        className={`mt-1 text-xs ${error ? 'text-critical' : 'text-soft'}`}
      >
        {error ?? hint}
      </p>
    </div>
  )
}

export function Select({
  label,
  hint,
  className = '',
  children,
  ...rest
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <select id={id} {...rest} className={inputClass}>
        {children}
      </select>
      {hint && <p className="mt-1 text-xs text-soft">{hint}</p>}
    </div>
  )
}

export function Toggle({
  label,
  checked,
  onChange,
  disabled = false,
}: {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  return (
    <label className="flex items-center gap-3 text-sm">
      <input
        type="checkbox"
        className="size-4 accent-(--accent)"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
