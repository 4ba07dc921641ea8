import { Link } from '@tanstack/react-router'
import { buttonClass } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { formatUsd } from '../components/format.ts'
import { Cell, Table } from '../components/surfaces.tsx'
import { planOffers } from '../generated/plan-offers.ts'
import type { AccuracyRow } from './accuracy-rows.ts'

/** Read from the bench's own page when the site is built. */
declare const ACCURACY_ROWS: readonly AccuracyRow[]

export function Accuracy() {
  return (
    <section aria-labelledby="accuracy" className="mt-16">
      <h2 id="accuracy" className="text-xl font-semibold">
        Measured, not promised
      </h2>
      <p className="mt-1 mb-4 max-w-3xl text-sm text-soft">
        The same contracts, the same labels, the other tools beside it. Where it falls short, that stands here too.
      </p>
      <Table caption="Accuracy beside other tools" head={['', 'Assay', 'Slither', 'Best other tool']}>
        {ACCURACY_ROWS.map((row) => (
          <tr key={row.measure}>
            <Cell className="min-w-48">{row.measure}</Cell>
            <Cell className="font-semibold whitespace-nowrap tabular-nums">{row.ours}</Cell>
            <Cell className="text-soft tabular-nums">{row.slither}</Cell>
            <Cell className="text-soft tabular-nums">{row.other}</Cell>
          </tr>
        ))}
      </Table>
    </section>
  )
}

const snippets = [
  ['On the command line', 'npx @assay/cli scan contracts/'],
  ['In a pipeline', 'npx @assay/cli scan . --fail-on medium \\\n  --format github --report sarif=assay.sarif'],
  ['Over HTTP', 'curl -H "X-API-Key: $ASSAY_KEY" -F file=@Vault.sol \\\n  $ASSAY_URL/api/v1/scan'],
] as const

export function Snippets() {
  return (
    <section aria-labelledby="snippets" className="mt-16">
      <h2 id="snippets" className="text-xl font-semibold">
        Where you work
      </h2>
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        {snippets.map(([title, text]) => (
          <div key={title} className="rounded-lg border border-line bg-panel p-4">
            <h3 className="mb-2 text-sm font-semibold">{title}</h3>
            <CopyBox value={text} label={`the snippet: ${title}`} />
          </div>
        ))}
      </div>
    </section>
  )
}

export function Prices({ isMember }: { isMember: boolean }) {
  return (
    <section aria-labelledby="prices" className="mt-16">
      <h2 id="prices" className="text-xl font-semibold">
        Prices
      </h2>
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        {planOffers.map((offer) => (
          <div key={offer.name} className="flex flex-col rounded-lg border border-line bg-panel p-4">
            <h3 className="font-semibold capitalize">{offer.name}</h3>
            <p className="mt-1 text-2xl font-semibold">
              {offer.monthlyUsd === 0 ? 'Free' : formatUsd(offer.monthlyUsd)}
              {offer.monthlyUsd > 0 && <span className="text-sm font-normal text-soft"> a month</span>}
            </p>
            <ul className="mt-3 mb-4 flex-1 list-disc space-y-1 pl-5 text-sm text-soft">
              {offer.lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <Link
              to={isMember ? '/plan' : '/register'}
              className={buttonClass(offer.name === 'free' ? 'primary' : 'plain')}
            >
              {offer.name === 'free' ? 'Start for free' : `Choose ${offer.name}`}
            </Link>
          </div>
        ))}
      </div>
    </section>
  )
}
