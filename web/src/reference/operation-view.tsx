import { CopyBox } from '../components/copy-box.tsx'
import { Prose } from '../components/prose.tsx'
import { operationView as texts } from '../messages/reference.ts'
import { type Language, requestLines, type Sender } from './example-request.ts'
import type { Answer, Field, Operation } from './read-document.ts'

const methodTone: Readonly<Record<string, string>> = {
  GET: 'text-low',
  POST: 'text-good',
  PATCH: 'text-medium',
  DELETE: 'text-critical',
}

export const Method = ({ name }: { name: string }) => (
  <span className={`font-mono text-xs font-semibold ${methodTone[name] ?? 'text-soft'}`}>{name}</span>
)

const credentialWords = {
  none: 'No credential.',
  key: texts.apiKeyAsApi,
  session: texts.sessionTokenPostApi,
} as const

/** One operation: what it takes and gives in words, and beside it the same as an example. */
export function OperationView({
  operation,
  language,
  sender,
}: {
  operation: Operation
  language: Language
  sender: Sender
}) {
  const { id, method, path, summary, description, credential, parameters, body, answers } = operation
  const good = answers.filter(({ status }) => status.startsWith('2'))
  const refused = answers.filter(({ status }) => !status.startsWith('2'))
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-16 grid-cols-[minmax(0,1fr)] gap-6 border-t border-line py-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]"
    >
      <div className="min-w-0 space-y-4 text-sm">
        <div>
          <h2 id={`${id}-title`} className="text-lg font-semibold">
            <a href={`#${id}`}>{summary}</a>
          </h2>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
            <Method name={method} />
            <code className="font-mono text-xs break-all">{path}</code>
            {operation.isDeprecated && <span className="text-xs text-medium">deprecated</span>}
          </p>
        </div>
        {description && (
          <p>
            <Prose text={description} />
          </p>
        )}
        <p className="text-soft">
          <Prose text={credentialWords[credential]} />
        </p>
        <Fields title="Parameters" fields={parameters} />
        <Fields title={body?.contentType === 'multipart/form-data' ? 'Form' : 'Body'} fields={body?.fields ?? []} />
        {good.map((answer) => (
          <AnswerFields key={answer.status} answer={answer} />
        ))}
        {refused.length > 0 && (
          <details>
            <summary className="cursor-pointer font-medium">Refusals</summary>
            <dl className="mt-2 space-y-1">
              {refused.map(({ status, description: words }) => (
                <div key={status} className="flex gap-3">
                  <dt className="font-mono font-semibold">{status}</dt>
                  <dd className="min-w-0 text-soft">{words}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
      <div className="min-w-0 space-y-3 xl:sticky xl:top-16 xl:self-start">
        <CopyBox value={requestLines(operation, language, sender)} label={texts.theExampleOf(method, path)} />
        {good.map(({ status, example, contentType }) => (
          <figure key={status} className="rounded-lg border border-line bg-panel">
            <figcaption className="border-b border-line px-3 py-1.5 text-xs text-soft">
              {status} {contentType}
            </figcaption>
            {example !== undefined && (
              <section
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
                tabIndex={0}
                aria-label={`Answer ${status} of ${method} ${path}`}
                className="max-h-96 overflow-auto p-3"
              >
                <pre className="font-mono text-xs leading-5">
                  {typeof example === 'string' ? example : JSON.stringify(example, null, 2)}
                </pre>
              </section>
            )}
          </figure>
        ))}
      </div>
    </section>
  )
}

function AnswerFields({ answer }: { answer: Answer }) {
  return (
    <details>
      <summary className="cursor-pointer font-medium">
        Answer {answer.status}: {answer.description}
      </summary>
      <Fields title="" fields={answer.fields} />
    </details>
  )
}

function Fields({ title, fields }: { title: string; fields: readonly (Field & { readonly place?: string })[] }) {
  if (fields.length === 0) return null
  return (
    <div>
      {title && <h3 className="mb-1 font-medium">{title}</h3>}
      <ul className="divide-y divide-line border-y border-line">
        {fields.map(({ name, type, isRequired, description, place }) => (
          <li key={`${place} ${name}`} className="py-2">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-xs font-semibold break-all">{name}</code>
              <span className="min-w-0 text-xs break-words text-soft">{type}</span>
              {place && <span className="text-xs text-soft">in the {place}</span>}
              {isRequired && <span className="text-xs text-high">required</span>}
            </span>
            {description && (
              <span className="block text-soft">
                <Prose text={description} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
