import { Link } from '@tanstack/react-router';
import { countText } from '../../base/text/format.ts';
import { Ago } from '../../parts/common/ago.tsx';
import { useApp } from '../../store/cockpit-context.ts';

/** The session list has the rest. */
const SHOWN = 8;

/** Folders with sessions, latest first. Each opens its session list. */
export function ProjectList() {
  const projects = useApp((state) => state.projects);
  if (projects === undefined || projects.length === 0) return null;
  return (
    <section className="project-list" aria-labelledby="projects-head">
      <h2 id="projects-head">Projects</h2>
      <ul>
        {projects.slice(0, SHOWN).map((project) => (
          <li key={project.id}>
            <Link to="/sessions" search={{ project: project.id }} title={project.path}>
              <span className="project-title">{project.title}</span>
              <span className="project-count">{countText(project.sessions, 'session')}</span>
              <Ago at={project.updatedAt} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
