pragma solidity ^0.5.0;

contract Ledger {
    event Sold(address buyer, uint256 amount);

    function record(address buyer, uint256 amount) external {
        emit Sold(buyer, amount);
    }
}

contract ClosableShop {
    Ledger private ledger;
    address payable public owner;

    constructor(address books) public {
        ledger = Ledger(books);
        owner = msg.sender;
    }

    function buy() external payable {
        require(msg.value >= 0.25 ether, "price");
        ledger.record(msg.sender, msg.value);
    }

    function close(address payable heir) external {
        require(msg.sender == owner, "not owner");
        ledger.record(msg.sender, address(this).balance);
        selfdestruct(heir);
    }
}
