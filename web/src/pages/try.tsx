import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../api/session.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { Page } from '../components/surfaces.tsx'
import { tryTexts as texts } from '../messages/pages/try.ts'
import { exampleSource } from '../playground/example.ts'
import { type Draft, keepDraft, takeDraft } from '../scan-form/draft.ts'
import { LocalResult } from '../scan-form/local-result.tsx'
import { SourceInput } from '../scan-form/source-input.tsx'

/** The engine in the visitor's own browser, with the whole result; the first page leads here with what was typed there. */
export function TryPage() {
  const [received] = useState(takeDraft)
  const [draft, setDraft] = useState<Draft>(received ?? { source: exampleSource, name: 'PiggyBank.sol' })
  const [scanned, setScanned] = useState<Draft | null>(received)
  const me = useMe({ isOpenPage: true })
  const isMember = Boolean(me.data)
  return (
    <Page
      title={texts.scanBrowser}
      lead={texts.runsEntirelyYourBrowser}
      wide
      actions={
        scanned && (
          <Link
            to={isMember ? '/home' : '/register'}
            className={buttonClass()}
            onClick={() => keepDraft(draft, sessionStorage)}
          >
            {isMember ? texts.keepResult : texts.signUpKeepResult}
          </Link>
        )
      }
    >
      <div className="space-y-4">
        <SourceInput name={draft.name} source={draft.source} onChange={(source, name) => setDraft({ source, name })} />
        <Button look="primary" disabled={draft.source.trim() === ''} onClick={() => setScanned(draft)}>
          {texts.scanBrowser2}
        </Button>
        {scanned && <LocalResult sources={[{ path: scanned.name, text: scanned.source }]} />}
      </div>
    </Page>
  )
}
