"""The pages of boards, made from what `leaderboard` stores: ranked, all scenarios, entries."""
