import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { actingFor } from '../api/acting-for.ts'
import { readFile } from '../api/client.ts'
import { saveText } from './save-text.ts'

/** A file of the service. A browser follows a link as the person: for an organization the page reads the file itself. */
export function DownloadLink({
  href,
  name,
  className,
  children,
}: {
  href: string
  /** Absent: as the service names it. */
  name?: string | undefined
  className: string
  children: ReactNode
}) {
  const save = useMutation({
    mutationFn: async () => {
      const file = await readFile(href)
      saveText(file.text, name ?? file.name, file.type)
    },
  })
  return (
    <a
      className={className}
      href={href}
      download={name ?? true}
      onClick={(event) => {
        if (!actingFor()) return
        event.preventDefault()
        save.mutate()
      }}
    >
      {children}
    </a>
  )
}
