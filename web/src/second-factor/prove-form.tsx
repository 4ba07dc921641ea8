import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SecondFactorDue } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { linkClass } from '../components/entrance.tsx'
import { Failure } from '../components/surfaces.tsx'
import { proveForm as texts } from '../messages/second-factor.ts'
import { type Proof, prove } from './log-in.ts'

type Factor = 'code' | 'recoveryCode' | 'passkey'

/** The second half of a log-in: a code, a passkey or a recovery code. */
export function ProveForm({ due, onDone, onBack }: { due: SecondFactorDue; onDone: () => void; onBack: () => void }) {
  const choices: Factor[] = [
    ...(due.passkeyOptions ? (['passkey'] as const) : []),
    ...(due.factors.includes('totp') ? (['code'] as const) : []),
    ...(due.factors.includes('recovery-code') ? (['recoveryCode'] as const) : []),
  ]
  const [factor, setFactor] = useState<Factor>(choices[0] ?? 'recoveryCode')
  const proving = useMutation({ mutationFn: (proof: Proof) => prove(due, proof), onSuccess: onDone })
  const submit = (fields: FormData) => {
    const code = String(fields.get('code') ?? '').trim()
    proving.mutate(factor === 'passkey' ? 'passkey' : factor === 'code' ? { code } : { recoveryCode: code })
  }
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
    >
      {factor === 'passkey' && <p className="text-sm text-soft">{texts.useYourPasskeyLog}</p>}
      {factor === 'code' && (
        <Field
          key="code"
          label={texts.codeFromYourAuthenticator}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*[0-9]{6}\s*"
          title="6 digits"
          required
          autoFocus
        />
      )}
      {factor === 'recoveryCode' && (
        <Field
          key="recovery"
          label="Recovery code"
          name="code"
          autoComplete="off"
          hint={texts.eachWorksOnce}
          required
          autoFocus
        />
      )}
      {proving.isError && <Failure error={proving.error} />}
      <Button type="submit" look="primary" busy={proving.isPending} className="w-full">
        {factor === 'passkey' ? texts.usePasskey : 'Log in'}
      </Button>
      <div className="flex flex-wrap justify-between gap-2 text-sm">
        {choices
          .filter((other) => other !== factor)
          .map((other) => (
            <button
              key={other}
              type="button"
              className={`${linkClass} cursor-pointer`}
              onClick={() => {
                proving.reset()
                setFactor(other)
              }}
            >
              {factorWords[other]}
            </button>
          ))}
        <button type="button" className={`${linkClass} cursor-pointer`} onClick={onBack}>
          Start over
        </button>
      </div>
    </form>
  )
}

const factorWords: Record<Factor, string> = {
  code: texts.useCode,
  recoveryCode: texts.useRecoveryCode,
  passkey: texts.usePasskey2,
}
