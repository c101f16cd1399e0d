"""A robot: plants what grows. It knows what its seat knows."""

from rounds.duel.view import View


def robot(view: View) -> str:
    """Order text for the seat whose view this is, always legal."""
    if view.phase == 2:
        return "match"
    if not view.hand:
        return "then match"
    me = view.farm(view.seat or "")
    front = view.hand[0]
    field = next((field.letter for field in me.fields if field.variety in (front, None)), None)
    single = all(field.beans < 2 for field in me.fields)
    able = [field for field in me.fields if field.beans > 1 or single]
    field = field or max(able, key=lambda field: (field.talers, field.beans)).letter
    return f"1>{field}!"
