import { buttonClass } from '../components/controls.tsx'
import { Prose } from '../components/prose.tsx'
import { formatAmount, formatWei, sharesByAsset } from './ether.ts'
import type { ViewEvidence } from './scan-view.ts'

/** The attack as it was executed, step by step; or, in one line, what was tried. */
export function EvidenceView({ evidence, testHref }: { evidence: ViewEvidence; testHref?: string | undefined }) {
  if (evidence.status !== 'confirmed')
    return (
      <p className="mt-4 rounded-md bg-sunken px-3 py-2 text-xs text-soft">{evidence.summary ?? evidence.status}</p>
    )
  return (
    <section aria-label="The attack" className="mt-5 rounded-md border border-critical/50 p-3">
      <h4 className="font-semibold text-critical">Confirmed by an attack that was executed</h4>
      {evidence.summary && (
        <p className="mt-1">
          <Prose text={evidence.summary} />
        </p>
      )}
      <ol className="mt-2 list-decimal space-y-1.5 pl-5">
        {evidence.steps?.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are an ordered, unchanging list
          <li key={index}>
            <strong>{step.actor}</strong>{' '}
            <code className="font-mono text-xs break-all">
              {step.call}
              {step.arguments.length > 0 && ` ← ${step.arguments.join(', ')}`}
            </code>
            {step.value !== '0' && <> with {formatWei(step.value)}</>}
            {step.effect && <span className="block text-soft">{step.effect}</span>}
          </li>
        ))}
      </ol>
      <Balances balances={evidence.balances ?? []} />
      {evidence.control && (
        <p className="mt-3 text-xs text-soft">
          Without its lever ({evidence.control.change}): {evidence.control.result}
        </p>
      )}
      {evidence.foundryTest && testHref && <DownloadTest file={evidence.foundryTest.file} href={testHref} />}
    </section>
  )
}

function Balances({ balances }: { balances: NonNullable<ViewEvidence['balances']> }) {
  if (balances.length === 0) return null
  // What nobody gained or lost is not worth a row, except in ether.
  const shown = balances.filter(({ token, before, after }) => token === undefined || before !== after)
  const shares = sharesByAsset(shown)
  return (
    <table className="mt-3 w-full text-xs">
      <caption className="sr-only">Balances before and after the attack</caption>
      <thead className="text-left text-soft">
        <tr>
          <th className="pr-2 font-medium">Balance</th>
          <th className="font-medium">before and after</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ holder, token, before, after }, index) => (
          <tr key={`${holder} ${token}`}>
            <th scope="row" className="py-1 pr-2 text-left font-normal">
              {holder}
              {token && ` (${token})`}
            </th>
            <td className="w-2/3 py-1">
              <Bar share={shares[index]?.before ?? 0} words={formatAmount(before, token)} tone="bg-soft/50" />
              <Bar
                share={shares[index]?.after ?? 0}
                words={formatAmount(after, token)}
                tone={BigInt(after) < BigInt(before) ? 'bg-critical' : 'bg-accent'}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Bar = ({ share, words, tone }: { share: number; words: string; tone: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden="true" className="h-1.5 flex-1 overflow-hidden rounded bg-sunken">
      <span className={`block h-full ${tone}`} style={{ width: `${share * 100}%` }} />
    </span>
    <span className="w-20 text-right tabular-nums">{words}</span>
  </span>
)

const DownloadTest = ({ file, href }: { file: string; href: string }) => (
  <a className={`${buttonClass()} mt-3`} download={file} href={href}>
    Download the Foundry test
  </a>
)
