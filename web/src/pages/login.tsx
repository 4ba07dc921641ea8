import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { call, Refusal } from '../api/client.ts'
import { Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'

export function LoginPage() {
  const { next } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const login = useMutation({
    mutationFn: (body: { email: string; password: string }) => call('POST /api/login', { body }),
    onSuccess: async () => {
      await queries.resetQueries()
      await navigate({ href: isOwnPath(next) ? next : '/scan' })
    },
    onError: (error, { email }) => {
      if (error instanceof Refusal && error.message === 'E-mail address is not verified.')
        navigate({ to: '/verify', search: { email } })
    },
  })
  return (
    <EntranceForm
      title="Log in"
      action="Log in"
      busy={login.isPending}
      error={login.error}
      onSubmit={({ email = '', password = '' }) => login.mutate({ email, password })}
      below={
        <>
          <p>
            <Link to="/forgot-password" className={linkClass}>
              Forgot your password?
            </Link>
          </p>
          <p>
            New here?{' '}
            <Link to="/register" className={linkClass}>
              Sign up
            </Link>
          </p>
        </>
      }
    >
      <Field label="E-mail" name="email" type="email" autoComplete="username" required />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
    </EntranceForm>
  )
}

/** Only a path of this site: `//elsewhere` would leave it. */
const isOwnPath = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path)
