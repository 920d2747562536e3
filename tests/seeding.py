"""A site with a task, an open phase and two people: `python -m tests.seeding`, which prints the gold's address."""

import django


def main() -> None:
    django.setup()
    from demo.database import create_tables  # after the apps are there
    from tests import factories

    create_tables()
    task = factories.make_task(organiser=factories.make_user("Olga", may_create_tasks=True))
    scenario = factories.make_scenario(task)
    gold = factories.make_gold(factories.make_phase(task), scenario)
    factories.make_team("Team", factories.make_user("Alice"))
    print(f"/gold/{gold.pk}/")


if __name__ == "__main__":
    main()
