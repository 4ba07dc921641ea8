import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMe } from '../api/session.ts'
import { buttonClass } from '../components/controls.tsx'
import { earlySource } from '../landing/early-source.ts'
import { Playground } from '../landing/playground.tsx'
import { Accuracy, Prices, Snippets } from '../landing/sections.tsx'
import { headline, lead } from '../landing/words.ts'

export function LandingPage() {
  const me = useMe()
  const [early] = useState(earlySource)
  const isMember = Boolean(me.data)
  useEffect(() => {
    document.title = 'Assay: smart-contract scanning'
  }, [])
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6">
      <header className="max-w-3xl">
        <h1 tabIndex={-1} className="text-3xl font-semibold outline-none sm:text-4xl">
          {headline}
        </h1>
        <p className="mt-3 text-lg text-soft">{lead}</p>
        <div className="mt-5 flex flex-wrap gap-2">
          <Link to={isMember ? '/scan' : '/register'} className={buttonClass('primary')}>
            {isMember ? 'Scan a contract' : 'Sign up'}
          </Link>
          <Link to="/detectors" className={buttonClass()}>
            What it finds
          </Link>
        </div>
      </header>
      <Playground isMember={isMember} early={early} />
      <Accuracy />
      <Snippets />
      <Prices isMember={isMember} />
    </div>
  )
}
