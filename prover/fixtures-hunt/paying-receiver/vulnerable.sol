// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract LoanOffice {
    uint256 public constant FEE = 1 ether;

    function deposit() external payable {}

    function lend(address payable borrower, uint256 amount) external {
        uint256 before = address(this).balance;
        require(amount <= before, "too much");
        Receiver(borrower).receiveLoan{value: amount}(FEE, msg.sender);
        require(address(this).balance >= before + FEE, "not repaid");
    }

    receive() external payable {}
}

contract Receiver {
    address payable private immutable office;
    address private immutable keeper;

    constructor(LoanOffice office_) payable {
        office = payable(address(office_));
        keeper = msg.sender;
    }

    function receiveLoan(uint256 fee, address by) external payable {
        require(msg.sender == office, "office");
        require(by != address(0), "caller");
        (bool ok, ) = office.call{value: msg.value + fee}("");
        require(ok, "payment");
    }

    receive() external payable {}
}
