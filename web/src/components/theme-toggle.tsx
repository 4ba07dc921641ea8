import { Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { themeToggle as texts } from '../messages/components.ts'
import { Button } from './controls.tsx'

export function ThemeToggle() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'light')
  const other = theme === 'dark' ? 'light' : 'dark'
  const swap = () => {
    document.documentElement.dataset.theme = other
    setTheme(other)
    try {
      localStorage.setItem('assay-theme', other)
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }
  const Icon = theme === 'dark' ? Sun : Moon
  return (
    <Button look="quiet" aria-label={texts.switchTheme(other)} onClick={swap}>
      <Icon size={16} aria-hidden="true" />
    </Button>
  )
}
