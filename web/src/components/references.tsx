/** Pages elsewhere that say more. */
export function References({ urls }: { urls: readonly string[] }) {
  return (
    <ul className="list-disc pl-5">
      {urls.map((url) => (
        <li key={url}>
          <a className="leading-6 break-all text-accent underline" href={url} target="_blank" rel="noreferrer noopener">
            {url}
          </a>
        </li>
      ))}
    </ul>
  )
}
