import { isWide, Loading, type LoadingShape } from './loading.tsx'

/** In the place of a page whose part of the application is still on its way. */
export const ComingPage = ({ shape }: { shape: LoadingShape }) => (
  <div className={`mx-auto w-full px-4 sm:px-6 ${isWide(shape) ? 'py-4' : 'max-w-6xl py-8'}`}>
    <div className="mb-6 h-7 w-48 animate-pulse rounded bg-line/60" />
    <Loading shape={shape} />
  </div>
)
