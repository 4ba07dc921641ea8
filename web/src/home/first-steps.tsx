import { Link } from '@tanstack/react-router'
import { Card } from '../components/surfaces.tsx'
import type { Step } from './project-change.ts'

export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card title="Get started">
      <ol className="space-y-2 text-sm">
        {steps.map(({ words, to, isDone }, index) => (
          <li key={words} className="flex items-center gap-3">
            <span
              aria-hidden="true"
              className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold ${isDone ? 'border-good text-good' : 'border-line text-soft'}`}
            >
              {isDone ? '✓' : index + 1}
            </span>
            {isDone ? (
              <span className="text-soft">
                {words} <span className="sr-only">(done)</span>
              </span>
            ) : (
              <Link to={to} className="font-medium text-accent underline">
                {words}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
