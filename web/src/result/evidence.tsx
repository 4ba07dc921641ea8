import { useMutation } from '@tanstack/react-query'
import { readFile } from '../api/client.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { DownloadLink } from '../components/download-link.tsx'
import { Prose } from '../components/prose.tsx'
import { Failure } from '../components/surfaces.tsx'
import { evidence as texts } from '../messages/result.ts'
import { callParts } from './call-parts.ts'
import { changesOf, formatAmount, formatChange, formatWei } from './ether.ts'
import type { ListedFinding, ViewEvidence } from './scan-view.ts'

/** The attack as it was executed, step by step; or, in one line, what was tried. Nothing where no attack was requested. */
export function EvidenceView({ item, testHref }: { item: ListedFinding; testHref?: string | undefined }) {
  const { evidence } = item.finding
  if (item.tried) return <p className="mt-4 rounded-md bg-sunken px-3 py-2 text-xs text-soft">Attack: {item.tried}</p>
  if (evidence?.status !== 'confirmed') return null
  return (
    <section aria-label="The attack" className="mt-5 rounded-md border border-critical/50 p-3">
      <h3 className="font-semibold text-critical">Exploit verified</h3>
      {evidence.summary && (
        <p className="mt-1">
          <Prose text={evidence.summary} />
        </p>
      )}
      <ol className="mt-2 list-decimal space-y-1.5 pl-5">
        {evidence.steps?.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are an ordered, unchanging list
          <li key={index}>
            <strong>{step.actor}</strong> <StepCall step={step} />
            {step.value !== '0' && <> with {formatWei(step.value)}</>}
            {step.effect && <span className="block text-soft">{step.effect}</span>}
          </li>
        ))}
      </ol>
      <Balances balances={evidence.balances ?? []} />
      {evidence.control && (
        <p className="mt-3 text-xs text-soft">
          Control run ({evidence.control.change}): {evidence.control.result}
        </p>
      )}
      {evidence.foundryTest && testHref && <FoundryTest file={evidence.foundryTest.file} href={testHref} />}
    </section>
  )
}

function StepCall({ step }: { step: NonNullable<ViewEvidence['steps']>[number] }) {
  const { before, call, after } = callParts(step.call)
  const given = step.arguments.length > 0 ? ` ← ${step.arguments.join(', ')}` : ''
  return (
    <>
      {before}
      {(call || given) && (
        <code className="font-mono text-xs break-words">
          {call}
          {given}
        </code>
      )}
      {after}
    </>
  )
}

function Balances({ balances }: { balances: NonNullable<ViewEvidence['balances']> }) {
  if (balances.length === 0) return null
  const changes = changesOf(balances)
  if (changes.length === 0) return <p className="mt-3 text-xs text-soft">{texts.noBalanceChanged}</p>
  return (
    <table className="mt-3 w-full text-xs">
      <caption className="text-left font-medium text-soft">Balance changes</caption>
      <thead className="sr-only">
        <tr>
          <th>Account</th>
          <th>Change</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ holder, token, before, after, change, share }) => (
          <tr key={`${holder} ${token}`}>
            <th scope="row" className="max-w-24 py-1 pr-2 text-left align-top font-normal break-words">
              {holder}
              {token && ` (${token})`}
            </th>
            <td className="w-3/4 py-1">
              <ChangeBar share={share} isLoss={change.startsWith('-')} />
              <span className="flex flex-wrap justify-between gap-x-2 tabular-nums">
                <strong>{formatChange(change, token)}</strong>
                <span className="text-soft">
                  {formatAmount(before, token)} → {formatAmount(after, token)}
                </span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Losses to the left of the middle, gains to the right. */
const ChangeBar = ({ share, isLoss }: { share: number; isLoss: boolean }) => (
  <span aria-hidden="true" className="relative block h-2 rounded bg-sunken">
    <span
      className={`absolute inset-y-0 ${isLoss ? 'right-1/2 rounded-l bg-critical' : 'left-1/2 rounded-r bg-accent'}`}
      style={{ width: `${share * 50}%` }}
    />
    <span className="absolute inset-y-0 left-1/2 w-px bg-soft" />
  </span>
)

function FoundryTest({ file, href }: { file: string; href: string }) {
  const copy = useMutation({ mutationFn: async () => navigator.clipboard.writeText((await readFile(href)).text) })
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button onClick={() => copy.mutate()} busy={copy.isPending}>
        <span aria-live="polite">{copy.isSuccess ? 'Copied' : texts.copyFoundryTest}</span>
      </Button>
      <DownloadLink className={buttonClass()} name={file} href={href}>
        {texts.downloadFoundryTest}
      </DownloadLink>
      {copy.isError && <Failure error={copy.error} />}
    </div>
  )
}
