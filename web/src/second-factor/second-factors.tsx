import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { formatTime } from '../components/format.ts'
import { Loading } from '../components/loading.tsx'
import { Card, Cell, Failure, Row, Table } from '../components/surfaces.tsx'
import { secondFactors as texts } from '../messages/second-factor.ts'
import { AddApp, AddPasskey, PasswordDialog, RecoveryCodes } from './factor-dialogs.tsx'
import { canUsePasskeys } from './passkey.ts'

type Factor = ResponseOf<'GET /api/v1/second-factors'>['data']['factors'][number]
type OpenDialog = 'app' | 'passkey' | 'codes' | Factor | null

/** What a log-in asks for beside the password: listed, added, removed. */
export function SecondFactors() {
  const queries = useQueryClient()
  const factors = useQuery({ queryKey: ['second-factors'], queryFn: () => call('GET /api/v1/second-factors', {}) })
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const done = async (shown: readonly string[] | null = null) => {
    setOpenDialog(null)
    setCodes(shown)
    await queries.invalidateQueries({ queryKey: ['second-factors'] })
    await queries.invalidateQueries({ queryKey: ['security-log'] })
  }
  const list = factors.data?.data.factors ?? []
  const left = factors.data?.data.recoveryCodesLeft ?? 0
  return (
    <Card
      title="Two-factor authentication"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpenDialog('app')}>{texts.addApp}</Button>
          {canUsePasskeys() && <Button onClick={() => setOpenDialog('passkey')}>{texts.addPasskey}</Button>}
        </div>
      }
    >
      {factors.isPending && <Loading what={texts.loadingYourSecondFactors} />}
      {factors.isError && <Failure error={factors.error} retry={() => factors.refetch()} />}
      {factors.data && list.length === 0 && (
        <p className="text-sm text-soft">{texts.protectYourAccountAuthenticator}</p>
      )}
      {list.length > 0 && (
        <>
          <Table caption={texts.yourTwoFactorMethods} head={['Name', 'Kind', 'Added', 'Last used', '']}>
            {list.map((factor) => (
              <Row key={factor.id}>
                <Cell className="max-w-60 truncate">{factor.name}</Cell>
                <Cell className="whitespace-nowrap text-soft">{factor.kind === 'totp' ? 'app' : 'passkey'}</Cell>
                <Cell className="whitespace-nowrap text-soft" label="added">
                  {formatTime(factor.createdAt)}
                </Cell>
                <Cell className="whitespace-nowrap text-soft" label="last used">
                  {factor.lastUsedAt ? formatTime(factor.lastUsedAt) : 'never'}
                </Cell>
                <Cell className="text-right max-sm:ml-auto">
                  <Button look="danger" aria-label={`Remove ${factor.name}`} onClick={() => setOpenDialog(factor)}>
                    Remove
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-2 text-sm text-soft">
            <p>{left === 1 ? texts.recoveryCode : texts.recoveryCodes(left)} left.</p>
            <Button onClick={() => setOpenDialog('codes')}>{texts.newRecoveryCodes}</Button>
          </div>
        </>
      )}
      <AddApp open={openDialog === 'app'} onClose={() => setOpenDialog(null)} onDone={done} />
      <AddPasskey open={openDialog === 'passkey'} onClose={() => setOpenDialog(null)} onDone={done} />
      <NewCodes open={openDialog === 'codes'} onClose={() => setOpenDialog(null)} onDone={done} />
      <Remove
        factor={typeof openDialog === 'object' ? openDialog : null}
        onClose={() => setOpenDialog(null)}
        onDone={done}
      />
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </Card>
  )
}

function NewCodes({
  open,
  onClose,
  onDone,
}: {
  open: boolean
  onClose: () => void
  onDone: (codes: readonly string[]) => void
}) {
  const renew = useMutation({
    mutationFn: (password: string) => call('POST /api/v1/recovery-codes', { body: { password } }),
    onSuccess: ({ data }) => onDone(data.recoveryCodes),
  })
  return (
    <PasswordDialog
      title={texts.newRecoveryCodes2}
      action={texts.createNewCodes}
      open={open}
      busy={renew.isPending}
      error={renew.error}
      onClose={() => {
        renew.reset()
        onClose()
      }}
      onPassword={(password) => renew.mutate(password)}
    >
      {texts.yourOldCodesNo}
    </PasswordDialog>
  )
}

function Remove({ factor, onClose, onDone }: { factor: Factor | null; onClose: () => void; onDone: () => void }) {
  const remove = useMutation({
    mutationFn: (password: string) =>
      call('POST /api/v1/second-factors/{id}/remove', { params: { id: factor?.id ?? '' }, body: { password } }),
    onSuccess: () => onDone(),
  })
  return (
    <PasswordDialog
      title={`Remove ${factor?.name ?? ''}`}
      action="Remove"
      look="danger"
      open={factor !== null}
      busy={remove.isPending}
      error={remove.error}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      onPassword={(password) => remove.mutate(password)}
    >
      {texts.canNoLongerUsed}
    </PasswordDialog>
  )
}
